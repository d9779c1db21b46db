import type { Config } from "../../config.ts";
import { findVerification } from "../../platform/audit/log.ts";
import { countOutdated } from "../../platform/auth/storedSecrets.ts";
import type { Db } from "../../platform/db/db.ts";
import { countJobs } from "../jobQueries.ts";
import { timeOf } from "../table.ts";
import { attempt, type Finding, failed, ok, warning } from "./check.ts";

const checkOwners = async (db: Db) => {
  const owner = await db
    .selectFrom("users")
    .select("id")
    .where("role", "=", "owner")
    .where("status", "=", "active")
    .limit(1)
    .executeTakeFirst();
  return owner
    ? ok("team", "There is an active owner.")
    : warning(
        "team",
        "No active owner. Create one with `purser create-owner --email <address> --name <name>`, and open its link.",
      );
};

const checkSecrets = async (db: Db, { SECRET_KEYS: keys }: Config) => {
  const { older, unreadable } = await countOutdated(db, keys);
  if (unreadable > 0)
    return failed(
      "secrets",
      `${unreadable} stored secrets can't be read with any key in SECRET_KEYS. Add the missing key.`,
    );
  return older > 0
    ? warning("secrets", `${older} use an older key of SECRET_KEYS. Run \`purser secrets rotate\`.`)
    : ok("secrets", "The newest key of SECRET_KEYS reads all stored secrets.");
};

const waitingMinutes = 5;

const checkJobs = async (db: Db, now: Date): Promise<Finding[]> => {
  const queues = await countJobs(db);
  const failures = queues.reduce((sum, { failed: count }) => sum + count, 0);
  const starts = queues.flatMap(({ oldestAt }) => (oldestAt ? [oldestAt.getTime()] : []));
  const minutes = Math.floor((now.getTime() - Math.min(now.getTime(), ...starts)) / 60_000);
  return [
    failures === 0
      ? ok("jobs", "None have failed.")
      : warning("jobs", `${failures} failed. List them with \`purser jobs failed\`.`),
    minutes < waitingMinutes
      ? ok("workers", "No job is late.")
      : failed(
          "workers",
          `A job has been waiting for ${minutes} minutes. Start a worker with \`purser worker\` or \`purser serve --work\`.`,
        ),
  ];
};

const verifiedHours = 48;

const checkAudit = async (db: Db, now: Date) => {
  const { verified } = await findVerification(db);
  if (!verified)
    return warning(
      "audit",
      "The audit log was never verified. A worker does that every night. To do it now: purser audit verify",
    );
  if (verified.broken)
    return failed(
      "audit",
      `Audit log verification failed on ${timeOf(verified.at)}. ${verified.broken.text} Run \`purser audit verify\`, and find out who changed the database directly.`,
    );
  const isOld = now.getTime() - verified.at.getTime() > verifiedHours * 3_600_000;
  return isOld
    ? warning(
        "audit",
        `Last verified on ${timeOf(verified.at)}. A worker should do that every night.`,
      )
    : ok("audit", `Verified on ${timeOf(verified.at)}.`);
};

/** What is stored in the database. */
export const checkContents =
  (config: Config, now: Date) =>
  async (db: Db): Promise<readonly Finding[]> => [
    ...(await attempt("team", () => checkOwners(db))),
    ...(await attempt("secrets", () => checkSecrets(db, config))),
    ...(await attempt("jobs", () => checkJobs(db, now))),
    ...(await attempt("audit", () => checkAudit(db, now))),
  ];
