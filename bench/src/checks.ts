import { newKeySecret } from "../../server/src/platform/auth/apiKeys.ts";
import { atMost, find, nodeUs, ratioOf, totalUs, type Verdict } from "./goals.ts";
import { measureHttp } from "./measure/http.ts";
import { openMeter } from "./measure/meter.ts";
import { bareRoute, healthRoute, measureInRounds, type Run } from "./measure/rounds.ts";
import type { Figure, Sample } from "./measure/sample.ts";
import { printFigures, printVerdicts } from "./report.ts";
import { type BenchDatabase, fillDatabase, makeDatabase } from "./setup/database.ts";
import { type RunningServer, startServer } from "./setup/processes.ts";
import { makeSettings, startBare, startProduct } from "./setup/product.ts";

type Size = { users: number; grants: number; subscribers: number };
type Load = { rounds: number; seconds: number; connections: number };

const warm = "check from memory";
const cold = "check from PostgreSQL";
const lookup = "bare Fastify, one prepared lookup";
const holding = (packages: number) => `check from PostgreSQL, ${packages} packages held`;
const consumption = "consume one";
const both = "check from memory, two servers";
const held = [1, 10, 100];

const warmMax = 1.5;
const coldMax = 1.3;
const twoServersMin = 1.8;

/** A key of an app, a counted feature of it, and customers who hold a package with it this many times. */
const prepare = async ({ query }: BenchDatabase) => {
  const [offer] = await query<{
    app: string;
    feature: string;
    code: string;
    version: string;
    package: string;
  }>(
    `select f.app_id as app, f.id as feature, f.code, v.version_id as version, pv.package_id as package
     from version_values v join features f on f.id = v.feature_id
     join package_versions pv on pv.id = v.version_id
     join apps a on a.id = f.app_id
     where f.kind = 'metered' and f.status = 'active' and a.status = 'active' and pv.state = 'on sale'
     order by f.id limit 1`,
  );
  if (!offer) throw new Error("The seed has no metered feature on sale.");
  const { secret, prefix, secretHash } = newKeySecret("server");
  await query(
    `insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
     values ($1, 'Bench', 'server', '{entitlements:read,usage:write}', $2, $3, now())`,
    [offer.app, prefix, secretHash],
  );
  for (const packages of held)
    await query(
      `with customer as (
         insert into users (email, name, status) values ($1, 'Bench', 'active') returning id
       )
       insert into grants (user_id, package_id, version_id, source, source_id, reason, starts_at)
       select id, $2, $3, 'manual', 'bench-' || n, 'Bench', now() from customer, generate_series(1, $4) n`,
      [`holds-${packages}@example.com`, offer.package, offer.version, packages],
    );
  await query("update features set default_value = '\"unlimited\"' where id = $1", [offer.feature]);
  await query("vacuum (analyze) grants, users");
  return { headers: { authorization: `Bearer ${secret}` }, feature: offer.code };
};

type Subject = { name: string; measure: (run: Run) => Promise<Sample> };

const sumOf = (samples: Sample[]): Sample => ({
  perSecond: samples.reduce((sum, { perSecond }) => sum + perSecond, 0),
  p50: Math.max(...samples.map(({ p50 }) => p50)),
  p99: Math.max(...samples.map(({ p99 }) => p99)),
  nodeUs: samples.reduce((sum, one) => sum + (one.nodeUs ?? 0), 0) / samples.length,
  postgresUs: null,
  refused: samples.reduce((sum, { refused }) => sum + refused, 0),
});

const perSecond = (sample: Sample) => sample.perSecond;

const goalsOf = (figures: Figure[]): Verdict[] => [
  atMost(
    "from memory / no-op route of the product, Node CPU",
    ratioOf([find(figures, warm), nodeUs], [find(figures, healthRoute), nodeUs]),
    warmMax,
  ),
  atMost(
    "from PostgreSQL / bare lookup, Node and PostgreSQL CPU",
    ratioOf([find(figures, cold), totalUs], [find(figures, lookup), totalUs]),
    coldMax,
  ),
  ...held
    .slice(1)
    .map((packages) =>
      atMost(
        `${packages} packages held / 1, Node and PostgreSQL CPU`,
        ratioOf([find(figures, holding(packages)), totalUs], [find(figures, holding(1)), totalUs]),
        coldMax,
      ),
    ),
  {
    what: `two servers / one, requests per second, at least ${twoServersMin}`,
    ...((value) => ({
      value,
      unit: "ratio" as const,
      holds: value === null ? null : value >= twoServersMin,
    }))(ratioOf([find(figures, both), perSecond], [find(figures, warm), perSecond])),
  },
];

/** Checks of sold apps: from memory, from PostgreSQL, and consuming, each next to the least that it could cost. */
export const benchChecks = async (
  { size, load }: { size: Size; load: Load },
  signal: AbortSignal,
) => {
  await using database = makeDatabase();
  const settings = makeSettings(database.url);
  const seed = {
    options: Object.entries(size).flatMap(([name, count]) => [`--${name}`, String(count)]),
    description: `${size.users.toLocaleString("en")} users and ${size.grants.toLocaleString("en")} grants`,
  };
  await fillDatabase(database, { seed, settings, signal });
  const { headers, feature } = await prepare(database);
  await using bare = await startBare(signal);
  await using prepared = await startServer(
    {
      args: ["bench/src/setup/bareLookup.ts"],
      env: { DATABASE_URL: database.url },
      readyPath: "/?user=x",
    },
    signal,
  );
  await using product = await startProduct(settings, signal);
  await using second = await startProduct(settings, signal);
  await using reading = await startProduct({ ...settings, CHECK_CACHE_MS: "0" }, signal);
  const meter = openMeter(database);
  const get = (server: RunningServer, path: string) => (run: Run) =>
    measureHttp({ server, path, headers }, run, meter);
  const checkOf = (packages: number) =>
    `/api/check?user=holds-${packages}@example.com&feature=${feature}`;
  let events = 0;
  const consume = (run: Run) =>
    measureHttp(
      {
        server: product,
        path: "/api/usage/consume",
        headers: { ...headers, "content-type": "application/json" },
        bodyOf: () => {
          events += 1;
          return JSON.stringify({ id: `bench-${events}`, user: "holds-1@example.com", feature });
        },
      },
      run,
      meter,
    );
  const subjects: Subject[] = [
    { name: bareRoute, measure: get(bare, "/") },
    { name: healthRoute, measure: get(product, "/healthz") },
    { name: warm, measure: get(product, checkOf(1)) },
    {
      name: both,
      measure: async (run) =>
        sumOf(await Promise.all([product, second].map((server) => get(server, checkOf(1))(run)))),
    },
    { name: lookup, measure: get(prepared, "/?user=holds-1@example.com") },
    { name: cold, measure: get(reading, checkOf(1)) },
    ...held.map((packages) => ({
      name: holding(packages),
      measure: get(reading, checkOf(packages)),
    })),
    { name: consumption, measure: consume },
  ];
  const figures = await measureInRounds(subjects, { meter, load, signal });
  printFigures(figures);
  const verdicts = goalsOf(figures);
  printVerdicts(verdicts);
  return verdicts;
};
