import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { groupsStatement } from "../../server/src/modules/packages/impact/subscriberGroupQueries.ts";
import type { Verdict } from "./goals.ts";
import { percentile } from "./measure/sample.ts";
import { printVerdicts } from "./report.ts";
import { type BenchDatabase, makeDatabase, signIn } from "./setup/database.ts";
import { runPurser } from "./setup/processes.ts";
import { makeSettings, type Settings, startProduct, startWorker } from "./setup/product.ts";

export type Size = { users: number; grants: number; subscribers: number };

const impactRounds = 5;
const impactMsMax = 2000;
const impactRatioMax = 1.5;
const latencyRatioMax = 2;

type Api = { origin: string; cookie: string };

const request = async <Reply>({ origin, cookie }: Api, path: string, body?: object) => {
  const response = await fetch(`${origin}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      cookie,
      origin: "http://localhost:3000",
      ...(body && { "content-type": "application/json", "idempotency-key": randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Reply;
};

const timed = async (work: () => Promise<unknown>) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const median = (values: number[]) => percentile(values, 0.5);

type Subject = { id: string; draftId: string; userId: string };

/** The package with the most subscribers, with a draft that lowers one limit. */
const prepareDraft = async (api: Api, { query }: BenchDatabase): Promise<Subject> => {
  const [largest] = await query<{ id: string; userId: string }>(
    `select package_id as id, (array_agg(user_id))[1] as "userId" from grants
     where package_id is not null and ends_at > now() group by 1 order by count(*) desc limit 1`,
  );
  if (!largest) throw new Error("No customer has a package.");
  const { id, userId } = largest;
  type Package = { draft: { id: string } | null };
  const stored = await request<Package>(api, `/packages/${id}`);
  const { draft } = stored.draft
    ? stored
    : await request<Package>(api, `/packages/${id}/draft`, {});
  const draftId = draft?.id ?? "";
  type Matrix = { apps: { features: { id: string; kind: string; value: unknown }[] }[] };
  const { apps } = await request<Matrix>(api, `/packages/${id}/matrix`);
  const lowered = apps
    .flatMap(({ features }) => features)
    .find(({ kind, value }) => kind === "limit" && typeof value === "number" && value > 1);
  if (!lowered) throw new Error("The package has no limit to lower.");
  await request(api, `/packages/${id}/matrix`, {
    draftId,
    cells: [{ featureId: lowered.id, value: 1, was: lowered.value }],
  });
  return { id, draftId, userId };
};

/** Measures the impact in the product and as a bare statement, in turns. */
const measureImpact = async (api: Api, database: BenchDatabase, { id }: Subject) => {
  const ids = async (text: string) =>
    (await database.query<{ id: string }>(text, [id])).map((row) => row.id);
  const own = "select id from package_versions where package_id = $1";
  const featureIds = await ids(
    `select distinct feature_id as id from version_values where version_id in (${own})`,
  );
  const versionIds = await ids(
    `select distinct version_id as id from version_values where feature_id in (
       select feature_id from version_values where version_id in (${own}))`,
  );
  const population = { packageId: id, versionIds, featureIds, now: new Date() };
  const { statement: grouped, values } = groupsStatement(population, featureIds);
  // The product uses this much memory for the statement too.
  await database.query("set work_mem = '64MB'");
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round <= impactRounds; round += 1) {
    const product = await timed(() => request(api, `/packages/${id}/impact`, {}));
    const engine = await timed(() => database.query(grouped.text, [...values]));
    // The first round only fills the caches.
    if (round > 0) {
      ours.push(product);
      bare.push(engine);
    }
  }
  return { ours: median(ours), bare: median(bare) };
};

/** The latency of a list page and of a customer's entitlements, requested repeatedly until stopped. */
const measureLatency = async (api: Api, { userId }: Subject, until: () => boolean) => {
  const [list, check]: [number[], number[]] = [[], []];
  while (!until()) {
    list.push(await timed(() => request(api, "/apps")));
    check.push(await timed(() => request(api, `/users/${userId}/entitlements`)));
    await wait(20);
  }
  return { list: median(list), check: median(check) };
};

type Rollout = { status: string; subscribers: number; migrated: number };

const rolloutOf = async (api: Api, id: string) => {
  const { items } = await request<{ items: Rollout[] }>(api, `/packages/${id}/rollouts`);
  return items[0] ?? { status: "none", subscribers: 0, migrated: 0 };
};

/** Publishes with a rollout to all subscribers, kills the workers halfway and continues with as many others. */
const measureRollout = async (api: Api, settings: Settings, subject: Subject, workers: number) => {
  const { id, draftId } = subject;
  const { hash } = await request<{ hash: string }>(api, `/packages/${id}/impact`, {});
  const body = { draftId, note: "Measured.", rollout: "now", impact: hash };
  await request(api, `/packages/${id}/publish`, body);
  await using started = new AsyncDisposableStack();
  const start = () => Array.from({ length: workers }, () => started.use(startWorker(settings)));
  const until = async (isReached: (rollout: Rollout) => boolean) => {
    let rollout = await rolloutOf(api, id);
    for (; rollout.status !== "done" && !isReached(rollout); rollout = await rolloutOf(api, id))
      await wait(100);
    return { migrated: rollout.migrated, at: performance.now() };
  };
  let done = false;
  const startedAt = performance.now();
  const latency = measureLatency(api, subject, () => done);
  try {
    const first = start();
    const begun = await until(({ migrated }) => migrated > 0);
    const half = await until(({ migrated, subscribers }) => migrated * 2 >= subscribers);
    await Promise.all(first.map((worker) => worker.stop("SIGKILL")));
    const killedAt = (await rolloutOf(api, id)).migrated;
    start();
    const end = await until(() => false);
    done = true;
    return {
      migrated: end.migrated,
      killedAt,
      seconds: (end.at - startedAt) / 1000,
      // Without starting and replacing processes.
      perSecond: ((half.migrated - begun.migrated) * 1000) / (half.at - begun.at),
      busy: await latency,
    };
  } finally {
    done = true;
  }
};

/** Subscribers who were migrated more than once or not at all. */
const countWrong = async ({ query }: BenchDatabase, { id, draftId }: Subject) => {
  const [row] = await query<{ wrong: number }>(
    `select count(*)::int as wrong from (
       select from rollout_moves m join rollouts r on r.id = m.rollout_id where r.version_id = $2
       group by m.grant_id having count(*) <> 1
       union all
       select from grants where package_id = $1 and version_id <> $2 and ends_at > now()
     ) wrong`,
    [id, draftId],
  );
  return row?.wrong ?? 0;
};

const atMost = (what: string, value: number, max: number): Verdict => ({
  what: `${what}, at most ${max}`,
  value,
  unit: "ratio",
  holds: value <= max,
});

type Rolling = {
  api: Api;
  database: BenchDatabase;
  settings: Settings;
  subject: Subject;
  idle: { list: number; check: number };
};

/** A rollout by so many workers, which are killed halfway. */
const rollOut = async ({ api, database, settings, subject, idle }: Rolling, workers: number) => {
  const rollout = await measureRollout(api, settings, subject, workers);
  const { migrated, killedAt, seconds, perSecond, busy } = rollout;
  const wrong = await countWrong(database, subject);
  const name = workers === 1 ? "one worker" : `${workers} workers`;
  console.log(
    `Rollout by ${name}: ${migrated} migrated in ${seconds.toFixed(1)} s, ${perSecond.toFixed(0)} per second, killed at ${killedAt}, migrated twice or missed: ${wrong}.`,
  );
  const verdicts = [
    atMost(`${name}: list while rolling out / idle, p50`, busy.list / idle.list, latencyRatioMax),
    atMost(
      `${name}: check while rolling out / idle, p50`,
      busy.check / idle.check,
      latencyRatioMax,
    ),
    atMost(`${name}: subscribers migrated twice or missed`, wrong, 0),
  ];
  return { perSecond, verdicts };
};

/** Measures the impact preview, and the latency of other requests during a rollout. */
export const benchPublish = async (size: Size, signal: AbortSignal) => {
  await using database = makeDatabase();
  const settings = makeSettings(database.url);
  await runPurser(["migrate"], settings, signal);
  console.log(
    `Creating ${size.users} users with ${size.grants} grants, ${size.subscribers} of one package …`,
  );
  const seeded = await timed(() =>
    runPurser(
      [
        "seed",
        "--users",
        `${size.users}`,
        "--grants",
        `${size.grants}`,
        "--subscribers",
        `${size.subscribers}`,
      ],
      settings,
      signal,
    ),
  );
  await database.query("vacuum (analyze)");
  console.log(`Seeded in ${(seeded / 1000).toFixed(0)} s.`);
  const cookie = await signIn(database);
  await using product = await startProduct(settings, signal);
  const api = { origin: product.origin, cookie };
  const subject = await prepareDraft(api, database);
  const impact = await measureImpact(api, database, subject);
  const idleUntil = performance.now() + 5000;
  const idle = await measureLatency(api, subject, () => performance.now() > idleUntil);
  console.log(
    `\nImpact: ${impact.ours.toFixed(0)} ms, the bare statement ${impact.bare.toFixed(0)} ms.`,
  );
  const one = await rollOut({ api, database, settings, subject, idle }, 1);
  const next = { api, database, settings, subject: await prepareDraft(api, database), idle };
  const two = await rollOut(next, 2);
  const verdicts = [
    atMost(`impact, of ${impactMsMax} ms`, impact.ours / impactMsMax, 1),
    atMost("impact, ours / the bare statement", impact.ours / impact.bare, impactRatioMax),
    ...one.verdicts,
    ...two.verdicts,
    {
      what: "migrated per second, two workers / one",
      value: two.perSecond / one.perSecond,
      unit: "ratio",
      holds: null,
    } satisfies Verdict,
  ];
  printVerdicts(verdicts);
  return verdicts;
};
