import { hashToken } from "../../../server/src/platform/auth/secrets.ts";
import { atLeast, find, nodeUs, perSecond, postgresUs, ratioOf, shown } from "../goals.ts";
import { measureHttp } from "../measure/http.ts";
import { type Meter, openMeter } from "../measure/meter.ts";
import { measureInRounds, type Run } from "../measure/rounds.ts";
import type { Figure } from "../measure/sample.ts";
import { printFigures, printVerdicts } from "../report.ts";
import { openDatabaseWith } from "../scale/kept.ts";
import { openSession } from "../scale/measure.ts";
import type { BenchDatabase } from "../setup/database.ts";
import { startProduct } from "../setup/product.ts";
import { type Comparison, findComparisons } from "./comparisons.ts";
import { directusName, isInstalled, openSchema, startDirectus } from "./server.ts";

type Load = { rounds: number; seconds: number; connections: number };

const ratioMin = 5;

const oursOf = (name: string) => `${name}: Purser`;
const theirsOf = (name: string) => `${name}: Directus`;

/** A session of the owner, which is removed at the end. */
const openOwner = async ({ query }: BenchDatabase) => {
  const cookie = await openSession({ query });
  const token = cookie.slice(cookie.indexOf("=") + 1);
  return {
    cookie,
    [Symbol.asyncDispose]: async () =>
      void (await query("delete from sessions where token_hash = $1", [hashToken(token)])),
  };
};

type Target = Omit<Parameters<typeof measureHttp>[0], "path">;
type Row = { id: string };
type Reply = Row | { items: Row[] } | { data: Row | Row[] };

const readIds = async ({ server, headers }: Target, path: string) => {
  const reply = await fetch(`${server.origin}${path}`, { headers });
  if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}.`);
  const found = (await reply.json()) as Reply;
  const rows = "items" in found ? found.items : "data" in found ? found.data : found;
  return [rows].flat().map(({ id }) => id);
};

/** A comparison of different rows would say nothing. */
const assertSameRows = async (
  { name, ours: path, theirs: theirPath }: Comparison,
  { ours, theirs }: { ours: Target; theirs: Target },
) => {
  const ids = await readIds(ours, path);
  const theirIds = await readIds(theirs, theirPath);
  if (ids.length === 0) throw new Error(`${name}: there are no rows.`);
  if (ids.join() !== theirIds.join()) throw new Error(`${name}: the rows differ.`);
};

const subjectOf = (name: string, target: Target & { path: string }) => ({
  name,
  measure: (run: Run, meter: Meter) => measureHttp(target, run, meter),
});

const verdictsOf = (figures: Figure[], { name }: Comparison) => {
  const ours = find(figures, oursOf(name));
  const theirs = find(figures, theirsOf(name));
  return [
    atLeast(
      `${name}: requests/s, Purser / Directus`,
      ratioOf([ours, perSecond], [theirs, perSecond]),
      ratioMin,
    ),
    shown(`${name}: node CPU, Directus / Purser`, ratioOf([theirs, nodeUs], [ours, nodeUs])),
    shown(
      `${name}: PostgreSQL CPU, Directus / Purser`,
      ratioOf([theirs, postgresUs], [ours, postgresUs]),
    ),
  ];
};

/** The same pages of the same tables by the product and by Directus, in turns. */
export const benchDirectus = async (
  { transactions, load }: { transactions: number; load: Load },
  signal: AbortSignal,
) => {
  if (!isInstalled()) {
    console.error("Directus is missing. Run npm --prefix fixtures/directus ci --ignore-scripts.");
    process.exitCode = 1;
    return [];
  }
  const opened = await openDatabaseWith(transactions, signal);
  const { settings } = opened;
  await using database = opened.database;
  await using owner = await openOwner(database);
  await using _schema = await openSchema(database);
  const directus = await startDirectus(database, signal);
  await using theirServer = directus.server;
  // Neither refuses requests on a busy machine.
  await using product = await startProduct({ ...settings, OVERLOAD_DELAY_MS: "0" }, signal);
  const ours = { server: product, headers: { cookie: owner.cookie } };
  const theirs = { server: theirServer, headers: directus.headers, application: directusName };
  const comparisons = await findComparisons(database);
  for (const comparison of comparisons) await assertSameRows(comparison, { ours, theirs });
  const subjects = comparisons.flatMap((comparison) => [
    subjectOf(oursOf(comparison.name), { ...ours, path: comparison.ours }),
    subjectOf(theirsOf(comparison.name), { ...theirs, path: comparison.theirs }),
  ]);
  const figures = await measureInRounds(subjects, { meter: openMeter(database), load, signal });
  printFigures(figures);
  const verdicts = comparisons.flatMap((comparison) => verdictsOf(figures, comparison));
  printVerdicts(verdicts);
  return verdicts;
};
