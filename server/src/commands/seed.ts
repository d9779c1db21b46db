import { seedDemoApps, seedManyApps } from "../modules/apps/seed.ts";
import { transact } from "../platform/audit/context.ts";
import { connectAsOwner } from "../platform/db/db.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";

const context = {
  actor: { kind: "system", id: null, name: "seed" },
  address: null,
  requestId: null,
  reason: "demo data",
} as const;

export const seed: Command = async (config, { apps, print }) => {
  const count = apps === undefined ? null : Number(apps);
  if (count !== null && !(Number.isInteger(count) && count > 0))
    throw new UsageError(`--apps must be a whole number above 0, not "${apps}".`);
  const { db } = connectAsOwner(ownerUrl(config));
  const now = new Date();
  try {
    await transact(db, context, async (transaction) => {
      if (count === null) print(`Made ${await seedDemoApps(transaction, now)} demo apps.\n`);
      else
        await seedManyApps(transaction, {
          count,
          now,
          onProgress: (made) =>
            print(`\r${made.toLocaleString("en")} of ${count.toLocaleString("en")} apps`),
        });
    });
    if (count !== null) print("\n");
  } finally {
    await db.destroy();
  }
};
