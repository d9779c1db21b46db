import type { Config } from "../config.ts";
import type { Backfill } from "../platform/backfills/backfill.ts";
import { describeWaiting, finishBackfills } from "../platform/backfills/finish.ts";
import { findPrimary } from "../platform/db/hosts.ts";
import { migrate } from "../platform/db/migrate.ts";
import type { Migration } from "../platform/db/migrations/files.ts";
import { BackfillRequired, MigrationError } from "../platform/db/migrations/migrationError.ts";
import { installTestClock, withOwnSchema } from "../platform/testMode/install.ts";
import { testModeConfig } from "../testModeConfig.ts";
import { type Command, connectTo, ownerUrl, UsageError } from "./command.ts";
import { waitForDatabase } from "./waitForDatabase.ts";

type LoadBackfills = () => Promise<readonly Backfill[]>;
type Tell = (line: string) => void;

/** With the role of the application, like a worker. */
const finishAll = async (config: Config, loadBackfills: LoadBackfills, tell: Tell) => {
  const { db } = connectTo(config, "purser migrate");
  try {
    await finishBackfills(db, await loadBackfills(), tell);
  } finally {
    await db.destroy();
  }
};

type Result = Awaited<ReturnType<typeof migrate>>;

/** Runs migrations and backfills in turn, because a migration may require a backfill of an earlier one. */
const withBackfills = async (apply: () => Promise<Result>, finish: () => Promise<void>) => {
  for (;;)
    try {
      const { applied, waiting } = await apply();
      if (waiting.length > 0) await finish();
      return { applied, waiting: [] };
    } catch (error) {
      if (!(error instanceof BackfillRequired)) throw error;
      await finish();
    }
};

export const migrateCommand =
  (loadBackfills: LoadBackfills, migrations?: readonly Migration[]): Command =>
  async (config, { print, backfills: inForeground = false }) => {
    const tell = (line: string) => void print(`${line}\n`);
    const migrateOne = async (one: Config, urlOf: (url: string) => string) => {
      await waitForDatabase(one, ownerUrl(one));
      const url = urlOf(await findPrimary(ownerUrl(one)));
      const apply = () => migrate(url, { tell, ...(migrations && { migrations }) });
      const finish = () => finishAll(one, loadBackfills, tell);
      const { applied, waiting } = await (inForeground ? withBackfills(apply, finish) : apply());
      if (applied.length === 0) tell("The database is up to date.");
      if (waiting.length > 0)
        tell(
          `Waiting backfills: ${waiting.map(describeWaiting).join(", ")}. Workers run them in the background. To run them now: purser migrate --backfills`,
        );
      return url;
    };
    try {
      await migrateOne(config, (url) => url);
      const testConfig = testModeConfig(config);
      if (!testConfig) return;
      tell("Test mode:");
      await installTestClock(await migrateOne(testConfig, withOwnSchema));
    } catch (error) {
      throw error instanceof MigrationError ? new UsageError(error.message) : error;
    }
  };

// Loaded on demand, because it loads the whole product.
export const runMigrations = migrateCommand(async () => (await import("../compose.ts")).backfills);
