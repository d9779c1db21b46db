import { seedDemo } from "../compose.ts";
import { seedManyApps } from "../modules/apps/seed/seed.ts";
import { seedManyCustomers } from "../modules/entitlements/seed/seedMany.ts";
import { seedManySales, transactionsOf } from "../modules/transactions/seed/seedMany.ts";
import { transact } from "../platform/audit/context.ts";
import { connectAsOwner, type Db } from "../platform/db/db.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

const context = {
  actor: { kind: "system", id: null, name: "seed" },
  address: null,
  requestId: null,
  reason: "demo data",
} as const;

const countOf = (option: string, given: string | undefined) => {
  if (given === undefined) return undefined;
  const count = Number(given);
  if (!(Number.isInteger(count) && count > 0))
    throw new UsageError(`--${option} must be a whole number above 0, not "${given}".`);
  return count;
};

type Counts = {
  users?: string | undefined;
  holders?: string | undefined;
  grants?: string | undefined;
};

/** The numbers of customers, subscribers and grants. Missing ones follow from the number of customers. */
const manyOf = ({ users, holders: asked, grants: wanted }: Counts) => {
  const people = countOf("users", users);
  const [holders, grants] = [countOf("holders", asked), countOf("grants", wanted)];
  if (people === undefined) {
    if (holders !== undefined || grants !== undefined)
      throw new UsageError("--holders and --grants need --users: how many people there are to be.");
    return null;
  }
  const many = {
    people,
    holders: holders ?? Math.ceil(people / 5),
    grants: grants ?? Math.ceil((people * 3) / 2),
  };
  if (many.holders > people) throw new UsageError("--holders must not be above --users.");
  if (many.grants < many.holders) throw new UsageError("--grants must not be below --holders.");
  return many;
};

const salesOf = (given: string | undefined, many: ReturnType<typeof manyOf>) => {
  const transactions = countOf("transactions", given);
  if (transactions === undefined) return null;
  if (!many) throw new UsageError("--transactions needs --users: who buys.");
  if (transactions > transactionsOf(many.people))
    throw new UsageError(
      `--transactions must not be above ${transactionsOf(many.people)} for so many --users.`,
    );
  return transactions;
};

export const seed: Command = async (config, { print, apps, transactions: sold, ...asked }) => {
  const count = countOf("apps", apps);
  const many = manyOf(asked);
  const transactions = salesOf(sold, many);
  const { db } = connectAsOwner(ownerUrl(config));
  const now = new Date();
  const step = async <T>(work: (transaction: Db) => Promise<T>) =>
    (await transact(db, context, work)).result;
  const progress = (all: number, what: string) => (made: number) =>
    print(
      `\r${made.toLocaleString("en")} of ${all.toLocaleString("en")} ${what}${made === all ? "\n" : ""}`,
    );
  try {
    if (count !== undefined)
      await step((transaction) =>
        seedManyApps(transaction, { count, now, onProgress: progress(count, "apps") }),
      );
    if (many) {
      const { first } = await seedManyCustomers(step, many, {
        now,
        onProgress: progress(many.people, "people"),
      });
      if (transactions !== null)
        await step((transaction) =>
          seedManySales(transaction, {
            transactions,
            first,
            people: many.people,
            zone: config.COMPANY_TIME_ZONE,
            now,
            onProgress: progress(transactions, "transactions"),
          }),
        );
    }
    if (count === undefined && !many)
      await step((transaction) => seedDemo(transaction, now, print));
  } finally {
    await db.destroy();
  }
};
