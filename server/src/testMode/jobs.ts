import type { Endpoint } from "@purser/contract/http/endpoint";
import { isAnsweredByLive, isChangedInLive } from "@purser/contract/testMode/paths";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { findNextPublishing } from "../modules/packages/publishing/publishQueries.ts";
import { findNextDue } from "../modules/subscriptions/due/nextDueQueries.ts";
import type { Job } from "../platform/jobs/queues.ts";
import { type Mailer, openMail } from "../platform/mail/mail.ts";
import type { Platform } from "../platform/platform.ts";
import type { Counts } from "../platform/system/counts.ts";
import { copyFromLive, type MoveJobs, moveClock } from "../platform/testMode/moveClock.ts";
import { changedInLive } from "../platform/testMode/testMode.ts";

/** Emails of test mode say so. */
export const openMailOf = (config: Config, isTest: boolean, counts: Counts) =>
  openMail({
    url: config.SMTP_URL,
    from: config.EMAIL_FROM,
    ...(isTest && { mark: "[Test mode] " }),
    onResult: (result) => {
      counts.emails[result] += 1;
    },
  });

/** Customers get no email from test mode. */
export const silentMail: Mailer = { send: async () => undefined, close: () => undefined };

/** What has to happen in its order while the clock of test mode moves. Everything else is done at the end. */
const duringMove = [
  "catch-up-packages",
  "renew-subscriptions",
  "expire-usage-reservations",
  "apply-waiting-changes",
  "expire-approvals",
  "issue-documents",
];

const moveJobsOf = (jobs: readonly Job[]): MoveJobs => {
  const scheduled = jobs.filter(({ every }) => every !== undefined);
  const isDuring = ({ name }: Job) => duringMove.includes(name);
  return {
    eachStep: scheduled.filter(isDuring),
    // Rows of the next months need their partitions.
    weekly: scheduled.filter(({ name }) => name === "create-partitions"),
    atEnd: scheduled.filter((job) => !isDuring(job)),
    nextDue: async (db, after) => {
      const next = [await findNextDue(db, after), await findNextPublishing(db, after)];
      const times = next.flatMap((at) => (at ? [at.getTime()] : []));
      return times.length > 0 ? new Date(Math.min(...times)) : null;
    },
  };
};

/** What a worker does in test mode only. */
export const testModePollers = (platform: Platform, jobs: readonly Job[]) => [
  copyFromLive(platform),
  moveClock({ platform, jobs: moveJobsOf(jobs) }),
];

const isOwnOfTestMode = ({ method, path }: Endpoint) =>
  !isAnsweredByLive(method, path) && !isChangedInLive(method, path);

/** Requests of test mode must not change the copies of what is shared with live, also not within another request. */
export const refuseChangesOfShared = (writes: FastifyInstance["writes"]) => {
  const run = async () => {
    throw changedInLive();
  };
  for (const [name, { endpoint }] of writes)
    if (!isOwnOfTestMode(endpoint)) writes.set(name, { endpoint, run });
};
