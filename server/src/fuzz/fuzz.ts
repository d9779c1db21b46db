import { setTimeout as startTimer } from "node:timers";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { type Document, operationsOf, type Target } from "./document.ts";
import { type Plan, plansOf } from "./generate/plans.ts";
import {
  type Caller,
  type Request,
  requestOf,
  type Sent,
  templateOf,
} from "./generate/requests.ts";
import { usedKeysOf } from "./generate/requiredHeaders.ts";
import { createMemory, entriesIn } from "./memory.ts";
import { type Answer, createOracles, type Finding, parseJson, watchPrototypes } from "./oracles.ts";
import { createReport } from "./report.ts";

/** Server-sent events never end, so there is no complete response to check. */
const endlessOperations = new Set(["streamEvents", "streamChanges"]);

type Options = {
  document: Document;
  send: (sent: Sent) => Promise<Answer>;
  /** Creates a caller with credentials and records to work on. */
  renew: () => Promise<Caller>;
  origin: string;
  seed: number;
  /** Per operation. */
  requests: number;
  /** An operation without a successful request gets more requests, up to this many. */
  requestsUntilReached?: number;
  /** How many operations run concurrently. */
  concurrency?: number;
  slowMs?: number;
  /** Requests without a response within this time are abandoned. */
  hangMs?: number;
  /** How many times slower this machine is than the one that both timeouts are for. */
  measureSlowness?: () => Promise<number>;
  clock?: () => number;
};

const renewedEvery = 20;
// Generated in rounds, so that a long run doesn't keep all requests in memory.
const plansPerRound = 20;

const hung = Symbol("hung");

const within = <T>(promise: Promise<T>, milliseconds: number) => {
  const late = Promise.withResolvers<typeof hung>();
  const timer = startTimer(() => late.resolve(hung), milliseconds);
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
};

/** An export is streamed and takes as long as it has rows, so it has no time limit. */
const isFile = (answer: Answer | typeof hung) =>
  answer !== hung && `${answer.headers["content-disposition"]}`.startsWith("attachment");

const measuredEveryMs = 10_000;
// On a machine this slow, a 503 response is retried up to this many times.
const busyFrom = 2;
const busyMax = 5;

/** Measuring costs as much as many requests, so concurrent slow requests share one measurement. */
const slownessOf = ({ measureSlowness = async () => 1 }: Options) => {
  let measured = { at: Number.NEGATIVE_INFINITY, slowness: Promise.resolve(1) };
  return () => {
    const at = performance.now();
    if (at - measured.at > measuredEveryMs) measured = { at, slowness: measureSlowness() };
    return measured.slowness;
  };
};

const createRun = (options: Options) => {
  const { document, send, origin, slowMs = 2000, hangMs = 10_000 } = options;
  const slowness = slownessOf(options);
  const clock = options.clock ?? (() => performance.now());
  const memory = createMemory();
  const report = createReport();
  const judge = createOracles(document);
  const polluted = watchPrototypes();
  let serial = 0;

  const requestFor = (target: Target, caller: Caller, plan: Plan) => {
    serial += 1;
    return requestOf({ document, target, memory, caller, origin, serial }, plan);
  };

  const timed = async (sent: Sent): Promise<{ answer: Answer | typeof hung; ms: number }> => {
    const startedAt = clock();
    const answering = send(sent);
    let answer = await within(answering, hangMs);
    // On a busy machine the timeout is extended before the operation is reported.
    if (answer === hung) answer = await within(answering, hangMs * 2 * ((await slowness()) - 1));
    return { answer, ms: Math.round(clock() - startedAt) };
  };

  /** A busy machine may cause a 503, so the request is retried. */
  const answered = async (sent: Sent) => {
    let given = await timed(sent);
    for (let again = 0; again < busyMax && given.answer !== hung; again += 1) {
      if (given.answer.status !== 503 || (await slowness()) < busyFrom) break;
      await setTimeout(2000);
      given = await timed(sent);
    }
    return given;
  };

  /** A slow request is repeated, because the first time it may have waited for the machine. */
  const slowAgain = async (sent: Sent) => {
    const before = await slowness();
    const { answer, ms } = await timed(sent);
    const allowedMs = slowMs * Math.max(before, await slowness());
    return ms > allowedMs && !isFile(answer) ? ms : null;
  };

  /** Sends one request, checks the response and remembers its values. */
  const deliver = async (target: Target, request: Request) => {
    const { operationId } = target;
    const { sent } = request;
    const fault = (finding: Finding) => report.add(operationId, finding, sent);
    const { answer, ms } = await answered(sent);
    for (const finding of polluted()) fault(finding);
    if (answer === hung) {
      fault({ oracle: "not in time", detail: `no answer within ${hangMs} ms` });
      return hung;
    }
    const slow = ms > slowMs ? await slowAgain(sent) : null;
    if (slow !== null) fault({ oracle: "not in time", detail: `answered after ${slow} ms` });
    report.count(operationId, answer.status);
    for (const finding of judge(target, answer, request)) fault(finding);
    if (answer.status < 300 || answer.status === 412)
      memory.learn(operationId, request.sort, parseJson(answer.body)?.value);
    const key = sent.headers["idempotency-key"];
    if (key) memory.keepValue(usedKeysOf(target), key);
    return answer.status;
  };
  return { ...options, memory, report, requestFor, deliver };
};
type Run = ReturnType<typeof createRun>;

const simplest: Omit<Plan, "record"> = {
  caller: "expected",
  params: {},
  segment: null,
  query: [],
  headers: {},
  body: null,
  follows: false,
  copies: 1,
};

/** Finds the records for this part of a path with the list endpoint above it. */
const findRecords = async (run: Run, caller: Caller, template: string): Promise<void> => {
  const { document, memory, requestFor, send } = run;
  const name = /\{(\w+)\}$/.exec(template)?.[1];
  const given = caller.records[template];
  if (given) memory.replaceRecords(template, given);
  if (given || !name) return;
  const collection = template.slice(0, template.lastIndexOf("/"));
  const list = operationsOf(document).find(
    ({ path, method }) => path === collection && method === "get",
  );
  if (!list) return;
  const above = templateOf(collection);
  await findRecords(run, caller, above);
  const parents = above ? memory.records(above).slice(0, 5) : [{ params: {} }];
  const found = await Promise.all(
    parents.map(async ({ params }, record) => {
      const { sent } = requestFor(list, caller, { ...simplest, record });
      return entriesIn(parseJson((await send(sent)).body)?.value, params, name);
    }),
  );
  memory.replaceRecords(template, found.flat());
};

const seedFor = (seed: number, name: string, round: number) =>
  [...`${name} ${round}`].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, seed);

/** Whether a request succeeded. An operation that refuses everything is hardly tested. */
const isReached = ({ report }: Run, { operationId }: Target) =>
  Object.keys(report.answers[operationId] ?? {}).some((status) => status < "300");

function* plansFor(run: Run, target: Target) {
  const { document, seed, requests, requestsUntilReached = requests } = run;
  const arbitrary = plansOf(document, target);
  const most = Math.max(requests, requestsUntilReached);
  for (let made = 0; made < most && (made < requests || !isReached(run, target)); ) {
    const numRuns = Math.min(plansPerRound, (made < requests ? requests : most) - made);
    yield* fc.sample(arbitrary, { seed: seedFor(seed, target.operationId, made), numRuns });
    made += numRuns;
  }
}

const fuzzOperation = async (run: Run, target: Target) => {
  let caller: Caller | null = null;
  let age = 0;
  for (const plan of plansFor(run, target)) {
    if (!caller || age >= renewedEvery) {
      caller = await run.renew();
      await findRecords(run, caller, templateOf(target.path));
      age = 0;
    }
    age += 1;
    const request = run.requestFor(target, caller, plan);
    const copies = Array.from({ length: plan.copies }, () => run.deliver(target, request));
    const outcomes = await Promise.all(copies);
    if (outcomes.includes(hung)) return;
    // A refused caller was signed out, suspended or locked by an earlier request, and a deletion may have
    // removed the session. A new caller is needed.
    const lost =
      plan.caller === "expected" && [401, 403, 429].some((status) => outcomes.includes(status));
    const removed = target.method === "delete" && outcomes.includes(204);
    if (lost || removed) age = renewedEvery;
  }
};

/**
 * Sends valid, nearly valid and malformed requests to every operation and reports violations. The same seed
 * gives the same requests except for record ids.
 */
export const fuzz = async (options: Options) => {
  const run = createRun(options);
  // These operations come first, because the records of the others make their responses too large or slow.
  const isOfAll = ({ path }: Target) =>
    path.startsWith("/catalog") || ["/audit/export", "/users/{id}/entitlements"].includes(path);
  const waiting = operationsOf(options.document)
    .filter(({ operationId }) => !endlessOperations.has(operationId))
    .toSorted((one, other) => Number(isOfAll(other)) - Number(isOfAll(one)));
  const workers = Array.from({ length: options.concurrency ?? 1 }, async () => {
    for (let target = waiting.shift(); target; target = waiting.shift())
      await fuzzOperation(run, target);
  });
  await Promise.all(workers);
  return { violations: run.report.violations(), answers: run.report.answers };
};
