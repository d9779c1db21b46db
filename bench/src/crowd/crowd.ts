import { hashPassword } from "../../../server/src/platform/auth/passwords/passwords.ts";
import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import type { Verdict } from "../goals.ts";
import { percentile } from "../measure/sample.ts";
import { printVerdicts } from "../report.ts";
import { type BenchDatabase, fillDatabase, makeDatabase, signIn } from "../setup/database.ts";
import { changeHeaders, makeSettings, startProduct } from "../setup/product.ts";
import { startRedis } from "../setup/redis.ts";
import {
  type Answers,
  type Caller,
  callUntil,
  crowdUntil,
  refusedIn,
  shownStatuses,
  together,
} from "./callers.ts";
import { type Services, startSlowPostgres } from "./services.ts";

export type Crowd = { seconds: number; rounds: number; transactions: number };

const ratioMax = 2;
const slowMs = 20;
const password = "violet anchor picnic 47";

/** A viewer with a session, and a team member who signs in with a password. */
const addTeam = async ({ query }: BenchDatabase) => {
  const token = newToken();
  await query(
    `with viewer as (
       insert into users (email, name, role, status)
       values ('viewer@example.com', 'Viewer', 'viewer', 'active') returning id
     )
     insert into sessions
       (token_hash, user_id, created_at, last_seen_at, address, device, second_factor)
     select $1, id, now(), now(), '127.0.0.1', 'bench', true from viewer`,
    [hashToken(token)],
  );
  await query(
    `with member as (
       insert into users (email, name, role, status)
       values ('member@example.com', 'Member', 'viewer', 'active') returning id
     )
     insert into passwords (id, hash, changed_at) select id, $1, now() from member`,
    [await hashPassword(password)],
  );
  return { cookie: `__Host-purser=${token}` };
};

export const makeKey = async (origin: string, cookie: string) => {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: "POST",
      headers: changeHeaders(cookie),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; secret: string };
  };
  const { id } = await post("/apps", { code: "crowded", name: "Crowded" });
  await post("/features", {
    appId: id,
    code: "export",
    name: "Export",
    kind: "switch",
    defaultValue: false,
  });
  const scopes = ["entitlements:read"];
  const { secret } = await post(`/apps/${id}/keys`, { name: "bench", kind: "server", scopes });
  return secret;
};

const filtered = "/transactions?f=number:contains:zz";

const callersOf = async (database: BenchDatabase, cookie: string, secret: string) => {
  const [some] = await database.query<{ id: string }>("select id from transactions limit 1");
  const paths = [filtered, "/transactions", `/transactions/${some?.id}`, "/users?q=many-77"];
  const owner: Caller = {
    send: (round) => ({ path: paths[round % paths.length] ?? "", headers: { cookie } }),
    pauseMs: 20,
  };
  const check: Caller = {
    send: () => ({
      path: "/check?user=many-77%40example.com&feature=export",
      headers: { authorization: `Bearer ${secret}` },
    }),
    pauseMs: 20,
  };
  // Less often than the limit of anonymous requests.
  const entering: Caller = {
    send: () => ({ path: "/session", body: { email: "member@example.com", password } }),
    pauseMs: 1000,
  };
  return { owner, check, "sign-in": entering };
};

type Callers = Awaited<ReturnType<typeof callersOf>>;
type Kind = keyof Callers | "abusive viewer";
type Window = Partial<Record<Kind, Answers>>;
type Run = { origin: string; callers: Callers; seconds: number };

const measure = async (
  { origin, callers, seconds }: Run,
  abusive: { cookie: string } | null,
): Promise<Window> => {
  const endsAt = performance.now() + seconds * 1000;
  const crowding = abusive
    ? crowdUntil(origin, () => ({ path: filtered, headers: abusive }), endsAt)
    : null;
  const answers = await Promise.all(
    Object.entries(callers).map(
      async ([who, caller]) => [who, await callUntil(origin, caller, endsAt)] as const,
    ),
  );
  const statuses = await crowding;
  return {
    ...Object.fromEntries(answers),
    ...(statuses && { "abusive viewer": { times: [], statuses } }),
  };
};

const kinds: Kind[] = ["owner", "check", "sign-in", "abusive viewer"];

const joined = (windows: Window[]): Window =>
  Object.fromEntries(
    kinds.map((kind) => [kind, together(windows.flatMap((window) => window[kind] ?? []))]),
  );

const p95 = (window: Window, kind: Kind) => percentile(window[kind]?.times ?? [], 0.95);

const print = (name: string, window: Window) => {
  for (const kind of kinds) {
    const { times = [], statuses = new Map() } = window[kind] ?? {};
    const p50 = percentile(times, 0.5).toFixed(1);
    const shown = times.length > 0 ? `p50 ${p50} ms, p95 ${p95(window, kind).toFixed(1)} ms, ` : "";
    if (statuses.size > 0) console.log(`${name}, ${kind}: ${shown}${shownStatuses(statuses)}`);
  }
};

const refused = (window: Window, kind: Kind) => refusedIn(window[kind] ?? together([]));

const servedIn = (name: string, window: Window): Verdict[] =>
  (["check", "sign-in"] as const).map((kind) => ({
    what: `${name}: ${kind} requests that weren't served, at most 0`,
    value: refused(window, kind),
    unit: "count",
    holds: refused(window, kind) === 0,
  }));

/** In turns, because other load on the machine then affects both alike. */
const measureInTurns = async (run: Run, viewer: { cookie: string }, rounds: number) => {
  const idle: Window[] = [];
  const crowded: Window[] = [];
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await measure(run, null));
    crowded.push(await measure(run, viewer));
  }
  return { idle: joined(idle), crowded: joined(crowded) };
};

const measureAll = async (
  run: Run,
  viewer: { cookie: string },
  { rounds, postgres, redis }: { rounds: number } & Services,
): Promise<Verdict[]> => {
  await measure(run, null);
  const { idle, crowded } = await measureInTurns(run, viewer, rounds);
  print("idle", idle);
  print("crowded", crowded);
  const longer = { ...run, seconds: run.seconds * 2 };
  postgres.delay(slowMs);
  const slow = await measure(longer, viewer);
  print(`crowded, PostgreSQL ${slowMs} ms away`, slow);
  postgres.delay(0);
  await redis.stop();
  const withoutRedis = await measure(longer, viewer);
  print("crowded, without Redis", withoutRedis);
  const ratio = p95(crowded, "owner") / p95(idle, "owner");
  const lists = crowded["abusive viewer"]?.statuses.get(200) ?? 0;
  return [
    {
      what: "lists that the abusive viewer received, at least 1",
      value: lists,
      unit: "count",
      holds: lists > 0,
    },
    {
      what: `owner's p95, crowded / idle, at most ${ratioMax}`,
      value: ratio,
      unit: "ratio",
      holds: ratio <= ratioMax && refused(crowded, "owner") === 0,
    },
    ...servedIn("crowded", crowded),
    ...servedIn("PostgreSQL slow", slow),
    ...servedIn("without Redis", withoutRedis),
  ];
};

/** One viewer sends 60 filtered lists at the same time, and an owner, an app and a sign-in go on. */
export const benchCrowd = async ({ seconds, rounds, transactions }: Crowd, signal: AbortSignal) => {
  await using database = makeDatabase();
  await using redis = await startRedis();
  await using postgres = await startSlowPostgres(database.url);
  const direct = makeSettings(database.url);
  const settings = { ...direct, DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const users = Math.ceil(transactions / 20);
  const amounts = { users, subscribers: Math.ceil(users / 5), grants: users * 2, transactions };
  await fillDatabase(database, {
    seed: {
      options: Object.entries(amounts).flatMap(([name, count]) => [`--${name}`, String(count)]),
      description: `${transactions.toLocaleString("en")} transactions`,
    },
    settings: direct,
    signal,
  });
  const cookie = await signIn(database);
  const viewer = await addTeam(database);
  await using product = await startProduct(settings, signal);
  const { origin } = product;
  const callers = await callersOf(database, cookie, await makeKey(origin, cookie));
  const run = { origin, callers, seconds };
  const verdicts = await measureAll(run, viewer, { rounds, postgres, redis });
  printVerdicts(verdicts);
  return verdicts;
};
