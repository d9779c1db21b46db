import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { groupsStatement } from "../../server/src/modules/packages/impact/subscriberGroups.ts";
import type { Verdict } from "./goals.ts";
import { percentile } from "./measure/sample.ts";
import { printVerdicts } from "./report.ts";
import { type BenchDatabase, makeDatabase, signIn } from "./setup/database.ts";
import { runPurser } from "./setup/processes.ts";
import { makeSettings, type Settings, startProduct, startWorker } from "./setup/product.ts";

export type Size = { users: number; grants: number; holders: number };

const impactRounds = 5;
const impactMsMax = 2000;
const impactRatioMax = 1.5;
const latencyRatioMax = 2;

type Office = { origin: string; cookie: string };

const ask = async <Reply>({ origin, cookie }: Office, path: string, body?: object) => {
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

/** The package with the most holders, with a draft that gives one of its numbers less. */
const prepareDraft = async (office: Office, { query }: BenchDatabase): Promise<Subject> => {
  const [largest] = await query<{ id: string; userId: string }>(
    `select package_id as id, (array_agg(user_id))[1] as "userId" from grants
     where package_id is not null and ends_at > now() group by 1 order by count(*) desc limit 1`,
  );
  if (!largest) throw new Error("Nobody holds a package.");
  const { id, userId } = largest;
  type Package = { draft: { id: string } | null };
  const stored = await ask<Package>(office, `/packages/${id}`);
  const { draft } = stored.draft ? stored : await ask<Package>(office, `/packages/${id}/draft`, {});
  const draftId = draft?.id ?? "";
  type Matrix = { apps: { features: { id: string; kind: string; value: unknown }[] }[] };
  const { apps } = await ask<Matrix>(office, `/packages/${id}/matrix`);
  const lowered = apps
    .flatMap(({ features }) => features)
    .find(({ kind, value }) => kind === "limit" && typeof value === "number" && value > 1);
  if (!lowered) throw new Error("The package has no number to lower.");
  await ask(office, `/packages/${id}/matrix`, {
    draftId,
    cells: [{ featureId: lowered.id, value: 1, was: lowered.value }],
  });
  return { id, draftId, userId };
};

/** The same question asked of the product and of the bare engine, in turn. */
const measureImpact = async (office: Office, database: BenchDatabase, { id }: Subject) => {
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
  // The product gives the question this much memory.
  await database.query("set work_mem = '64MB'");
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round <= impactRounds; round += 1) {
    const product = await timed(() => ask(office, `/packages/${id}/impact`, {}));
    const engine = await timed(() => database.query(grouped.text, [...values]));
    // The first round fills the caches of both.
    if (round > 0) {
      ours.push(product);
      bare.push(engine);
    }
  }
  return { ours: median(ours), bare: median(bare) };
};

/** How long a page of a list and what a person may use take, asked one after the other until told to stop. */
const measureLatency = async (office: Office, { userId }: Subject, until: () => boolean) => {
  const [list, check]: [number[], number[]] = [[], []];
  while (!until()) {
    list.push(await timed(() => ask(office, "/apps")));
    check.push(await timed(() => ask(office, `/users/${userId}/entitlements`)));
    await wait(20);
  }
  return { list: median(list), check: median(check) };
};

type Rollout = { status: string; holders: number; moved: number };

const rolloutOf = async (office: Office, id: string) => {
  const { items } = await ask<{ items: Rollout[] }>(office, `/packages/${id}/rollouts`);
  return items[0] ?? { status: "none", holders: 0, moved: 0 };
};

/** Publishes to everybody, kills the worker halfway, and goes on with another. */
const measureRollout = async (office: Office, settings: Settings, subject: Subject) => {
  const { id, draftId } = subject;
  const { hash } = await ask<{ hash: string }>(office, `/packages/${id}/impact`, {});
  const body = { draftId, note: "Measured.", rollout: "now", impact: hash };
  await ask(office, `/packages/${id}/publish`, body);
  const start = performance.now();
  let done = false;
  const latency = measureLatency(office, subject, () => done);
  try {
    await using first = startWorker(settings);
    for (let half = false; !half; ) {
      await wait(100);
      const { moved, holders, status } = await rolloutOf(office, id);
      half = moved * 2 >= holders || status === "done";
    }
    await first.stop("SIGKILL");
    const killedAt = (await rolloutOf(office, id)).moved;
    await using _second = startWorker(settings);
    while ((await rolloutOf(office, id)).status !== "done") await wait(250);
    const { moved } = await rolloutOf(office, id);
    return { moved, killedAt, seconds: (performance.now() - start) / 1000, latency };
  } finally {
    done = true;
  }
};

/** People who hold the new version not exactly once, or still another one. */
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

/** What a publish costs: its impact, and moving everybody while others work. */
export const benchPublish = async (size: Size, signal: AbortSignal) => {
  await using database = makeDatabase();
  const settings = makeSettings(database.url);
  await runPurser(["migrate"], settings, signal);
  console.log(
    `Making ${size.users} users with ${size.grants} grants, ${size.holders} of one package …`,
  );
  const seeded = await timed(() =>
    runPurser(
      [
        "seed",
        "--users",
        `${size.users}`,
        "--grants",
        `${size.grants}`,
        "--holders",
        `${size.holders}`,
      ],
      settings,
      signal,
    ),
  );
  await database.query("vacuum (analyze)");
  console.log(`Seeded in ${(seeded / 1000).toFixed(0)} s.`);
  const cookie = await signIn(database);
  await using product = await startProduct(settings, signal);
  const office = { origin: product.origin, cookie };
  const subject = await prepareDraft(office, database);
  const impact = await measureImpact(office, database, subject);
  const idleUntil = performance.now() + 5000;
  const idle = await measureLatency(office, subject, () => performance.now() > idleUntil);
  const rollout = await measureRollout(office, settings, subject);
  const busy = await rollout.latency;
  const wrong = await countWrong(database, subject);
  console.log(
    `\nImpact: ${impact.ours.toFixed(0)} ms, the bare statement ${impact.bare.toFixed(0)} ms.`,
  );
  console.log(
    `Rollout: ${rollout.moved} moved in ${rollout.seconds.toFixed(1)} s, its worker killed at ${rollout.killedAt}; moved twice or missed: ${wrong}.`,
  );
  const verdicts = [
    atMost(`impact, of ${impactMsMax} ms`, impact.ours / impactMsMax, 1),
    atMost("impact, ours / the bare statement", impact.ours / impact.bare, impactRatioMax),
    atMost("list while rolling out / idle, p50", busy.list / idle.list, latencyRatioMax),
    atMost("check while rolling out / idle, p50", busy.check / idle.check, latencyRatioMax),
    atMost("people moved twice or missed", wrong, 0),
  ];
  printVerdicts(verdicts);
  return verdicts;
};
