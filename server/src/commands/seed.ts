import { seedManyApps } from "../modules/apps/seed/seed.ts";
import { seedManyCustomers } from "../modules/entitlements/seed/seedMany.ts";
import { seedManySales, transactionsOf } from "../modules/transactions/seed/seedMany.ts";
import { transact } from "../platform/audit/context.ts";
import { connectAsOwner, type Db } from "../platform/db/db.ts";
import { seedDemo } from "../seedDemo.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";
import { updateAllFigures } from "./reports.ts";

const context = {
  actor: { kind: "system", id: null, name: "seed" },
  address: null,
  requestId: null,
  reason: "Demo data",
} as const;

const countOf = (option: string, given: string | undefined) => {
  if (given === undefined) return undefined;
  const count = Number(given);
  if (!(Number.isInteger(count) && count > 0))
    throw new UsageError(`--${option} must be a positive whole number, not "${given}".`);
  return count;
};

type Counts = {
  users?: string | undefined;
  subscribers?: string | undefined;
  grants?: string | undefined;
};

/** The numbers of customers, subscribers and grants. Missing ones follow from the number of customers. */
const manyOf = ({ users, subscribers: asked, grants: wanted }: Counts) => {
  const customers = countOf("users", users);
  const [subscribers, grants] = [countOf("subscribers", asked), countOf("grants", wanted)];
  if (customers === undefined) {
    if (subscribers !== undefined || grants !== undefined)
      throw new UsageError("--subscribers and --grants require --users.");
    return null;
  }
  const many = {
    customers,
    subscribers: subscribers ?? Math.ceil(customers / 5),
    grants: grants ?? Math.ceil((customers * 3) / 2),
  };
  if (many.subscribers > customers)
    throw new UsageError("--subscribers can't be greater than --users.");
  if (many.grants < many.subscribers)
    throw new UsageError("--grants can't be less than --subscribers.");
  return many;
};

const salesOf = (given: string | undefined, many: ReturnType<typeof manyOf>) => {
  const transactions = countOf("transactions", given);
  if (transactions === undefined) return null;
  if (!many) throw new UsageError("--transactions requires --users.");
  if (transactions > transactionsOf(many.customers))
    throw new UsageError(
      `--transactions can't be greater than ${transactionsOf(many.customers)} for ${many.customers} --users.`,
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
  const progress = (all: number, unit: string) => (made: number) =>
    print(
      `\r${made.toLocaleString("en")} of ${all.toLocaleString("en")} ${unit}${made === all ? "\n" : ""}`,
    );
  try {
    if (count !== undefined)
      await step((transaction) =>
        seedManyApps(transaction, { count, now, onProgress: progress(count, "apps") }),
      );
    if (many) {
      const { first } = await seedManyCustomers(step, many, {
        now,
        onProgress: progress(many.customers, "customers"),
      });
      if (transactions !== null)
        await step((transaction) =>
          seedManySales(transaction, {
            transactions,
            first,
            customers: many.customers,
            zone: config.COMPANY_TIME_ZONE,
            now,
            onProgress: progress(transactions, "transactions"),
          }),
        );
    }
    if (count === undefined && !many)
      await step((transaction) => seedDemo(transaction, config, { now, print }));
    await updateAllFigures(db, config);
  } finally {
    await db.destroy();
  }
};
