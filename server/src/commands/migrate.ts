import type { Config } from "../config.ts";
import type { Backfill } from "../platform/backfills/backfill.ts";
import { describeWaiting, finishBackfills } from "../platform/backfills/finish.ts";
import { findPrimary } from "../platform/db/hosts.ts";
import { migrate } from "../platform/db/migrate.ts";
import type { Migration } from "../platform/db/migrations/files.ts";
import { BackfillRequired, MigrationError } from "../platform/db/migrations/migrationError.ts";
import {
  assertOtherDatabase,
  installTestClock,
  withOwnSchema,
} from "../platform/testMode/install.ts";
import { testModeConfig } from "../testMode/config.ts";
import { type Command, connectTo, ownerUrl, UsageError } from "./command.ts";
import { explanationOf } from "./explanations.ts";
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

/** Explanations name the variables of live. */
const reasonOf = (error: unknown) =>
  error instanceof MigrationError
    ? error.message
    : explanationOf(error)?.replaceAll(/\b(?=(?:MIGRATION_)?DATABASE_URL)/g, "TEST_MODE_");

/** Of scripts: live can be started, test mode can't. */
const onlyLiveCode = 2;

export const migrateCommand =
  (loadBackfills: LoadBackfills, migrations?: readonly Migration[]): Command =>
  async (config, { print, exitWith, backfills: inForeground = false }) => {
    const tell = (line: string) => void print(`${line}\n`);
    const urlTo = async (one: Config) => {
      await waitForDatabase(one, ownerUrl(one));
      return findPrimary(ownerUrl(one));
    };
    const migrateOne = async (one: Config, url: string) => {
      const apply = () => migrate(url, { tell, ...(migrations && { migrations }) });
      const finish = () => finishAll(one, loadBackfills, tell);
      const { applied, waiting } = await (inForeground ? withBackfills(apply, finish) : apply());
      if (applied.length === 0) tell("The database is up to date.");
      if (waiting.length > 0)
        tell(
          `Waiting backfills: ${waiting.map(describeWaiting).join(", ")}. Workers run them in the background. To run them now: purser migrate --backfills`,
        );
    };
    const liveUrl = await urlTo(config);
    await migrateOne(config, liveUrl).catch((error: unknown) => {
      throw error instanceof MigrationError ? new UsageError(error.message) : error;
    });
    const testConfig = testModeConfig(config);
    if (!testConfig) return;
    tell("Test mode:");
    try {
      const url = withOwnSchema(await urlTo(testConfig));
      await assertOtherDatabase(liveUrl, url);
      await migrateOne(testConfig, url);
      await installTestClock(url);
    } catch (error) {
      const reason = reasonOf(error);
      if (!reason) throw error;
      tell(`The live database is up to date. Test mode wasn't migrated. ${reason}`);
      exitWith(onlyLiveCode);
    }
  };

// Loaded on demand, because it loads the whole product.
export const runMigrations = migrateCommand(async () => (await import("../compose.ts")).backfills);
