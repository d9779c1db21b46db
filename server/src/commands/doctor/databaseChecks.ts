import pg from "pg";
import type { Config } from "../../config.ts";
import { describeWaiting } from "../../platform/backfills/finish.ts";
import { findWaitingBackfills } from "../../platform/backfills/queries.ts";
import type { Db } from "../../platform/db/db.ts";
import { assertLoginPrivileges } from "../../platform/db/loginPrivileges.ts";
import { findAppliedMigrations, findPendingMigrations } from "../../platform/db/migrate.ts";
import { migrationNames } from "../../platform/db/migrations/files.ts";
import { connectTo, ownerUrl } from "../command.ts";
import { attempt, type Finding, failed, ok, warning } from "./check.ts";

const oldestMajor = 15;

/** A connection with the login itself, before it takes the role of the application. */
const withLogin = async <T>(url: string, work: (client: pg.Client) => Promise<T>) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

const okSeconds = 2;
const failedSeconds = 30;

/** Sessions, two-factor codes and schedules compare times of this machine with times of the database. */
export const clockFinding = (seconds: number): Finding => {
  const difference = Math.abs(seconds).toFixed(1);
  if (Math.abs(seconds) <= okSeconds)
    return ok("clock", `${difference} s different from the database.`);
  const text = `This machine's clock is ${difference} s ${seconds > 0 ? "ahead of" : "behind"} the database. Turn on time synchronization (NTP) on both.`;
  return (Math.abs(seconds) <= failedSeconds ? warning : failed)("clock", text);
};

type About = { version: string; major: number; at: Date };

const readServer = `select current_setting('server_version') as version,
  current_setting('server_version_num')::int / 10000 as major, pg_catalog.clock_timestamp() as at`;

const checkServer = ({ DATABASE_URL }: Config) =>
  withLogin(DATABASE_URL, async (client) => {
    const sentAt = Date.now();
    const { rows } = await client.query<About>(readServer);
    const about = rows[0];
    if (!about) return failed("database", "The database doesn't answer.");
    const halfway = (sentAt + Date.now()) / 2;
    const { version, major, at } = about;
    return [
      major >= oldestMajor
        ? ok("database", `PostgreSQL ${version}.`)
        : failed(
            "database",
            `PostgreSQL ${version} is too old. Update it to version ${oldestMajor} or newer.`,
          ),
      clockFinding((halfway - at.getTime()) / 1000),
    ];
  });

/** Opening a connection checks that the role has no more than the privileges of purser_app. */
const checkRole = async (db: Db, { PUBLIC_URL }: Config) => {
  await assertLoginPrivileges(db, PUBLIC_URL);
  return ok("role", "The application uses the role purser_app.");
};

const ownsTables = `select exists (select from pg_class where oid = to_regclass('public.users')
  and pg_has_role(current_user, relowner, 'member')) as owns`;

/** The login of migrations and backups. */
const checkOwner = (config: Config) =>
  withLogin(ownerUrl(config), async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(ownsTables);
    if (rows[0]?.owns) return ok("owner", "The login for migrations owns the tables.");
    const text = config.MIGRATION_DATABASE_URL
      ? "The login in MIGRATION_DATABASE_URL doesn't own the tables, so `purser migrate` and `purser backup` fail. Use the owner's login."
      : "The login in DATABASE_URL doesn't own the tables. Set MIGRATION_DATABASE_URL to the owner's login for `purser migrate` and `purser backup`.";
    return warning("owner", text);
  });

const checkMigrations = async (db: Db) => {
  const pending = await findPendingMigrations(db);
  if (pending.length > 0)
    return failed(
      "migrations",
      `${pending.length} missing, from ${pending[0]} on. Run \`purser migrate\`.`,
    );
  const [known, applied] = [await migrationNames(), await findAppliedMigrations(db)];
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length > 0)
    return warning(
      "migrations",
      `The database has migrations of a newer release: ${newer.join(", ")}. Update this installation.`,
    );
  return ok("migrations", `All ${known.length} are applied.`);
};

const checkBackfills = async (db: Db) => {
  const waiting = await findWaitingBackfills(db);
  return waiting.length === 0
    ? ok("backfills", "None are waiting.")
    : warning(
        "backfills",
        `Not finished: ${waiting.map(describeWaiting).join(", ")}. Workers run them in the background. To run them now: purser migrate --backfills`,
      );
};

/** The findings about the database, and about its contents if it can be reached. */
export const checkDatabase = async (
  config: Config,
  checkContents: (db: Db) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> => {
  const server = await attempt("database", () => checkServer(config));
  if (server.some(({ name, status }) => name === "database" && status === "failed")) return server;
  const { db } = connectTo(config, "purser doctor");
  try {
    const role = await attempt("role", () => checkRole(db, config));
    const owner = await attempt("owner", () => checkOwner(config));
    const migrations = await attempt("migrations", () => checkMigrations(db));
    const found = [...server, ...role, ...owner, ...migrations];
    // Without its tables or its role, everything below would fail for the same reason.
    if (found.some(({ status }) => status === "failed")) return found;
    return [
      ...found,
      ...(await attempt("backfills", () => checkBackfills(db))),
      ...(await checkContents(db)),
    ];
  } finally {
    await db.destroy();
  }
};
