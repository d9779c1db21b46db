import type { Role } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { checkConstraints } from "../../audit/context.ts";
import type { Db } from "../../db/db.ts";
import { inSavepoint } from "../../db/savepoint.ts";
import type { OpenApprovalGate } from "../../http/approvalGate.ts";
import { problemOf } from "../../http/errors.ts";
import { Problem } from "../../http/problem.ts";
import { message } from "../../messages.ts";
import {
  findTargets,
  type Outcome,
  type RunningJob,
  rememberRows,
  saveOutcomes,
  type Target,
} from "./queries.ts";
import type { Bulk, BulkAction, Given as Entered } from "./sources.ts";

/** As many as a bulk endpoint takes, so that the transaction is short. */
const batchSize = 100;

type Calls = { writes: FastifyInstance["writes"]; openApprovalGate: OpenApprovalGate };
type Batch = { db: Db; job: RunningJob; now: Date };

/** What handlers read of a request. The call is made in the name of the user who started the job. */
const requestOf = ({ id, userId, name, email, role, address }: RunningJob, now: Date) =>
  ({
    id,
    ip: address,
    session: { userId, name, email, role },
    callingKey: null,
    now,
    headers: {},
  }) as unknown as FastifyRequest;

type Given = { params?: object; body: object; version: number | null };

/** Makes the call of an action. Its refusal is returned, and a lost connection or lock repeats the batch. */
const makeCall = (
  { writes, openApprovalGate }: Calls,
  { db, job, now }: Batch,
  { method, path, permission }: { method: string; path: string; permission: Bulk["permission"] },
) => {
  const write = writes.get(`${method} ${path}`);
  if (!write) throw new Error(`Nothing answers ${method} ${path}.`);
  const requireApproval = openApprovalGate(db, { userId: job.userId, permission, now });
  return ({ version, ...given }: Given) =>
    inSavepoint(db, async () => {
      try {
        const exchange = { request: requestOf(job, now), reply: {} as FastifyReply };
        const answer = await write.run({ ...exchange, given, version, db, requireApproval });
        await checkConstraints(db);
        return JSON.parse(answer.body) as unknown;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const problem = problemOf(error, () => undefined);
        throw ["unavailable", "internal", "in_progress"].includes(problem.code) ? error : problem;
      }
    });
};

type Declared = NonNullable<Bulk["actions"][BulkAction]>;
type Versioned = { id: string; version: number };

const refused = ({ unchanged }: Declared, detail: Message): Outcome => ({
  outcome: unchanged.includes(detail.code) ? "unchanged" : "failed",
  detail,
  version: null,
});

const done = ({ version }: Versioned): Outcome => ({ outcome: "done", detail: null, version });

type Send = ReturnType<typeof makeCall>;

/** A person who saves a form can review the change. A job can't. */
const refusalOf = ({ code, detail }: Problem) =>
  code === "stale_version"
    ? message(
        "job_row_changed",
        "Someone changed it in the meantime, so it was left as it is. Open it to change it.",
      )
    : detail;

/** One call for each row. */
const sendEach = async (
  send: Send,
  declared: Declared,
  targets: readonly Target[],
  body: object,
) => {
  const outcomes: Outcome[] = [];
  for (const { id, version, before } of targets) {
    const answer = await send({ params: { id }, body: { ...body, ...before }, version });
    outcomes.push(
      answer instanceof Problem ? refused(declared, refusalOf(answer)) : done(answer as Versioned),
    );
  }
  return outcomes;
};

type BulkReply = { done: Versioned[]; refused: { id: string; detail: Message }[] };

/** One call for all rows, which decides about each on its own. */
const sendAll = async (
  send: Send,
  declared: Declared,
  targets: readonly Target[],
  body: object,
) => {
  const named = {
    [declared.targets as string]: targets.map(({ id, version }) => ({ id, version })),
  };
  const answer = await send({ body: { ...body, ...named }, version: null });
  if (answer instanceof Problem) return targets.map(() => refused(declared, answer.detail));
  const reply = answer as BulkReply;
  const outcomes = new Map([
    ...reply.done.map((row) => [row.id, done(row)] as const),
    ...reply.refused.map(({ id, detail }) => [id, refused(declared, detail)] as const),
  ]);
  return targets.map(({ id }) => outcomes.get(id) as Outcome);
};

/** Applies the action to the next rows and stores their results. Returns whether there were any. */
export const runBulkBatch = async (calls: Calls, bulk: Bulk, batch: Batch) => {
  const { db, job } = batch;
  const action = job.action as BulkAction;
  const declared = bulk.actions[action];
  if (!declared) throw new Error(`The list ${job.list} has no bulk action ${action}.`);
  const targets = await findTargets(db, job, batchSize);
  if (targets.length === 0) return false;
  const send = makeCall(calls, batch, { ...declared.endpoint, permission: bulk.permission });
  const { given = {} } = job.query as { given?: Entered };
  // An undo gets what its action replaced in each row, and not what was entered for all.
  const entered = Object.fromEntries(
    (declared.given ?? []).map((name) => [name, given[name]] as const),
  );
  const body = { ...(job.reason !== null && { reason: job.reason }), ...entered };
  const ids = targets.map(({ id }) => id);
  const { table } = bulk.listOf(job.role as Role).rows;
  const before = declared.remembers && (await rememberRows(db, table, declared.remembers, ids));
  const outcomes = declared.targets
    ? await sendAll(send, declared, targets, { action, ...body })
    : await sendEach(send, declared, targets, body);
  await saveOutcomes(
    db,
    job,
    outcomes.map((one, place) => ({ ...one, before: before?.get(ids[place] ?? "") ?? null })),
  );
  return true;
};
