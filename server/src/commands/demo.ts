import type { Config } from "../config.ts";
import { findDemoMember } from "../modules/users/seed/team.ts";
import { connectAsOwner, type Db } from "../platform/db/db.ts";
import { isLoopbackUrl } from "../platform/http/loopback.ts";
import { type Command, ownerUrl, UsageError } from "./command.ts";
import { addDemoLink, demoLinkMinutes } from "./demoSignIn.ts";
import { runMigrations } from "./migrate.ts";
import { seed } from "./seed.ts";
import { runServer } from "./serve.ts";

/** The domain is reserved for examples, so no real person has an address there. */
const demoAddresses = "%@example.com";

/** Whether there is no team member besides those of the demo. */
export const hasOnlyDemoTeam = async (db: Db) => {
  const other = await db
    .selectFrom("users")
    .select("id")
    .where("role", "is not", null)
    .where("isService", "=", false)
    .where("status", "!=", "erased")
    .where("email", "not like", demoAddresses)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
};

const hasUsers = async (db: Db) =>
  (await db.selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;

/** The owner of the demo company, or null in a database without users. Refuses any other database. */
export const findDemoOwner = async (db: Db) => {
  const owner = await findDemoMember(db, "owner");
  const isDemo = owner === null ? !(await hasUsers(db)) : await hasOnlyDemoTeam(db);
  if (!isDemo)
    throw new UsageError(
      "This database isn't a demo: it has users, but no demo company, or team members with addresses outside example.com. Set DATABASE_URL to a new database, and run the command again.",
    );
  return owner;
};

export const assertDemoConfig = ({
  PUBLIC_URL,
  ENVIRONMENT,
}: Pick<Config, "PUBLIC_URL" | "ENVIRONMENT">) => {
  if (!isLoopbackUrl(PUBLIC_URL))
    throw new UsageError(
      `The demo works only on this machine, and PUBLIC_URL is ${PUBLIC_URL}. Set it to http://localhost:3000.`,
    );
  if (ENVIRONMENT !== "test")
    throw new UsageError("The demo doesn't start in a live environment. Set ENVIRONMENT=test.");
};

const withOwnerDb = async <T>(config: Config, work: (db: Db) => Promise<T>) => {
  const { db } = connectAsOwner(ownerUrl(config));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
};

/** Starts with demo data, and prints a link that signs in as the owner of the demo company. */
export const demo: Command = async (config, options) => {
  assertDemoConfig(config);
  await runMigrations(config, options);
  const isLoaded = (await withOwnerDb(config, findDemoOwner)) !== null;
  if (!isLoaded) await seed(config, options);
  const userId = await withOwnerDb(config, findDemoOwner);
  if (userId === null) throw new Error("The demo data has no owner.");
  await runServer(config, {
    work: true,
    extend: async (app) => {
      const link = addDemoLink(app, { userId, isDemo: hasOnlyDemoTeam });
      return () =>
        options.print(
          `\nPurser is running with demo data. Open this link within ${demoLinkMinutes} minutes to sign in. It works once:\n${link}\n\nPress Ctrl C to stop.\n`,
        );
    },
  });
};
