import type { AnswerReason } from "@purser/contract/entitlements/explanation";
import { code } from "@purser/contract/fields/text";
import type { FastifyInstance, FastifyReply } from "fastify";
import pg from "pg";
import type { CallingKey } from "#platform/auth/apiKeys.ts";
import { writeCounted } from "./queries.ts";
import { listOfAll, listReason } from "./rules.ts";
import { type Asked, addBack, count, nothingCounted, rowsMax } from "./tally.ts";

declare module "fastify" {
  interface FastifyInstance {
    checkRecorder: CheckRecorder;
  }
}

const everyMs = 5000;

/** Codes that an app doesn't have, kept by app and hour. Of further ones only the number is known. */
export const unknownCodesMax = 20;

type Call = { key: Pick<CallingKey, "id" | "appId">; now: Date; reply: FastifyReply };

type Answered = {
  customerId: string | null;
  answer: { allowed: boolean; reason: AnswerReason };
};

type Answer = Pick<Asked, "feature" | "reason" | "isAllowed" | "customer">;

/** The codes that apps asked for and don't have, in the current hour. */
const unknownCodes = () => {
  let hour = 0;
  let codes = new Map<string, Set<string>>();
  return (app: string, asked: string, now: Date) => {
    if (!code.safeParse(asked).success) return "";
    const current = Math.floor(now.getTime() / 3_600_000);
    if (current !== hour) {
      hour = current;
      codes = new Map();
    }
    const known = codes.get(app) ?? new Set();
    codes.set(app, known);
    if (!known.has(asked) && known.size >= unknownCodesMax) return "";
    known.add(asked);
    return asked;
  };
};

/**
 * Counts the answers of this process in memory, and writes them every few seconds with one statement. Counts of a
 * process that is killed are lost.
 */
const openRecorder = ({ db, company, log }: FastifyInstance["platform"]) => {
  const codeOf = unknownCodes();
  let counted = nothingCounted();
  let writing: Promise<void> | null = null;

  const write = async () => {
    const taken = counted;
    if (taken.apps.size === 0) return;
    counted = nothingCounted();
    try {
      await writeCounted(db, taken);
    } catch (error) {
      log.warn({ error }, "The counts of checks couldn't be written");
      // Only if nothing was written for certain, because nothing may be counted twice.
      if (error instanceof pg.DatabaseError) addBack(counted, taken);
    }
  };

  const flush = async () => {
    await writing;
    writing = write();
    await writing;
  };

  const add = ({ key, now, reply }: Call, asked: Answer) => {
    const { timeZone: zone } = company.current();
    const durationMs = reply.elapsedTime;
    count(counted, { ...asked, app: key.appId, key: key.id, at: now, zone, durationMs });
    if (counted.counts.size >= rowsMax && !writing) void flush();
  };

  return {
    /** Counts the answer about one feature. Undefined if the app doesn't have it. */
    record: (call: Call, feature: string, answered: Answered | undefined) =>
      add(
        call,
        answered
          ? {
              feature,
              reason: answered.answer.reason,
              isAllowed: answered.answer.allowed,
              customer: answered.customerId,
            }
          : {
              feature: codeOf(call.key.appId, feature, call.now),
              reason: "unknown feature",
              isAllowed: false,
              customer: null,
            },
      ),
    /** Counts a list of all features as one check, because no one has tried to use them. */
    recordList: (call: Call) =>
      add(call, { feature: listOfAll, reason: listReason, isAllowed: true, customer: null }),
    flush,
  };
};
type CheckRecorder = ReturnType<typeof openRecorder>;

/** Adds the recorder to the server, for the routes that answer apps. */
export const addCheckRecorder = (app: FastifyInstance) => {
  const recorder = openRecorder(app.platform);
  app.decorate("checkRecorder", recorder);
  const timer = setInterval(() => void recorder.flush(), everyMs);
  timer.unref();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    await recorder.flush();
  });
};
