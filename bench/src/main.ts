import { parseArgs } from "node:util";
import { getCases, listCases, userCases } from "./cases.ts";
import { benchChecks } from "./checks/checks.ts";
import { benchCrowd } from "./crowd/crowd.ts";
import { benchDirectus } from "./directus/directus.ts";
import { benchFlash } from "./flash/flash.ts";
import { getGoals, listGoals, userGoals } from "./goals.ts";
import { benchJobs } from "./jobs/jobs.ts";
import { benchLists } from "./lists.ts";
import { openMeter } from "./measure/meter.ts";
import { measureInRounds, subjectsOf } from "./measure/rounds.ts";
import { statementsOf } from "./measure/statements.ts";
import { benchPublish } from "./publish.ts";
import { benchRenewals } from "./renewals/renewals.ts";
import { printFigures, printVerdicts } from "./report.ts";
import { benchSdk } from "./sdk.ts";
import { fillDatabase, makeDatabase, signIn } from "./setup/database.ts";
import { makeSettings, startBare, startProduct } from "./setup/product.ts";

const help = `npm run bench -- <what> [options]

  list                 the list of apps: first page, deep page, sorted, filtered
  list --all           every list with 10,000 and with --transactions rows: first page, page 400, 90 % depth, last page
  get                  one app by its ID
  users                searching a user by each key: email address, name, external ID, number
  check                checks of sold apps from memory and from PostgreSQL, and counting usage, next to Redis and pgbench
  publish              the impact of publishing, and rollouts under load by one and two workers that are killed
  flash                many concurrent orders with one promotion code, compared with the bare statements
  crowd                60 concurrent lists of one user, while others work, without Redis and with a slow database
  renewals             due renewals by two workers that are killed, compared with bare inserts of the same rows
  jobs                 a bulk action, an export and an import of many rows by a worker that is killed halfway
  directus             pages of transactions and users next to Directus 12.4.0 with the same tables. Requires
                       npm --prefix fixtures/directus ci --ignore-scripts
  sdk                  checks from the cache of the SDK next to lookups in a Map, and the memory of the cache

  --users, --grants, --subscribers <count>
                       for check, publish and users: how many to create (2,000,000, 3,000,000, 400,000)
  --transactions <count>
                       for crowd, directus, list --all and jobs: how many to create (200,000; 200,000; 1,000,000;
                       10,000,000). directus and list --all use the database that npm run scale kept, if it has as many
  --renewals <count>   for renewals: how many are due (100,000)
  --bulk, --imported <count>
                       for jobs: the rows of the bulk action and of the import (200,000; 1,000,000)
  --limit <count>      for flash: the redemption limit of the code (1,000)
  --apps <count>       how many apps to create (1,000,000)
  --customers <count>  for sdk: how many are cached (100,000)
  --rounds <count>     how often each case is measured (5)
  --seconds <count>    duration of each measurement (3)
  --connections <n>    concurrent connections (16)
  --short              little data and short rounds, to test the benchmark itself
  --strict             exit with an error if a goal is missed

Uses PostgreSQL at TEST_DATABASE_URL and Redis at TEST_REDIS_URL. Requires pgbench.
`;

const options = {
  apps: { type: "string" },
  customers: { type: "string" },
  users: { type: "string" },
  grants: { type: "string" },
  subscribers: { type: "string" },
  limit: { type: "string" },
  transactions: { type: "string" },
  renewals: { type: "string" },
  bulk: { type: "string" },
  imported: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  connections: { type: "string" },
  all: { type: "boolean", default: false },
  short: { type: "boolean", default: false },
  strict: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

type Amounts = { apps: number; size: { users: number; grants: number; subscribers: number } };

const manyApps = ({ apps }: Amounts) => ({
  options: ["--apps", String(apps)],
  description: `${apps.toLocaleString("en")} apps`,
});

const manyUsers = ({ size }: Amounts) => ({
  options: Object.entries(size).flatMap(([name, count]) => [`--${name}`, String(count)]),
  description: `${size.users.toLocaleString("en")} users`,
});

const kinds = {
  list: { seedOf: manyApps, casesOf: listCases, goalsOf: listGoals },
  get: { seedOf: manyApps, casesOf: getCases, goalsOf: getGoals },
  users: { seedOf: manyUsers, casesOf: userCases, goalsOf: userGoals },
};

// More than twice the rows that a list counts, so that the short form takes the same path as a large table.
const shortDefaults = {
  customers: 100_000,
  apps: 30_000,
  rounds: 2,
  seconds: 2,
  connections: 16,
  users: 20_000,
  grants: 30_000,
  subscribers: 4000,
  limit: 50,
  transactions: 60_000,
  renewals: 5000,
  bulk: 10_000,
  imported: 50_000,
};
const fullDefaults = {
  customers: 100_000,
  apps: 1_000_000,
  rounds: 5,
  seconds: 3,
  connections: 16,
  users: 2_000_000,
  grants: 3_000_000,
  subscribers: 400_000,
  limit: 1000,
  transactions: 200_000,
  renewals: 100_000,
  bulk: 200_000,
  imported: 1_000_000,
};

const wholeNumber = (name: string, given: string | undefined, defaultValue: number) => {
  const value = given === undefined ? defaultValue : Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0, not "${given}".`);
};

// 10 million take long to fill.
const manyTransactions = 1_000_000;

// More than a download may have.
const exportedTransactions = { short: 110_000, full: 10_000_000 };

const others = ["check", "publish", "flash", "crowd", "renewals", "jobs", "sdk", "directus"];

const defaultTransactions = (what: string, { short, all }: { short: boolean; all: boolean }) => {
  if (what === "jobs") return short ? exportedTransactions.short : exportedTransactions.full;
  if (short) return shortDefaults.transactions;
  return all ? manyTransactions : fullDefaults.transactions;
};

const readCommand = () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [what = ""] = positionals;
  const kind = Object.hasOwn(kinds, what) ? kinds[what as keyof typeof kinds] : null;
  if (values.help || !(kind || others.includes(what))) return null;
  const defaults = values.short ? shortDefaults : fullDefaults;
  return {
    what,
    kind,
    limit: wholeNumber("limit", values.limit, defaults.limit),
    customers: wholeNumber("customers", values.customers, defaults.customers),
    all: values.all,
    transactions: wholeNumber(
      "transactions",
      values.transactions,
      defaultTransactions(what, values),
    ),
    renewals: wholeNumber("renewals", values.renewals, defaults.renewals),
    bulk: wholeNumber("bulk", values.bulk, defaults.bulk),
    imported: wholeNumber("imported", values.imported, defaults.imported),
    size: {
      users: wholeNumber("users", values.users, defaults.users),
      grants: wholeNumber("grants", values.grants, defaults.grants),
      subscribers: wholeNumber("subscribers", values.subscribers, defaults.subscribers),
    },
    strict: values.strict,
    apps: wholeNumber("apps", values.apps, defaults.apps),
    load: {
      rounds: wholeNumber("rounds", values.rounds, defaults.rounds),
      seconds: wholeNumber("seconds", values.seconds, defaults.seconds),
      connections: wholeNumber("connections", values.connections, defaults.connections),
    },
  };
};

type Command = NonNullable<ReturnType<typeof readCommand>>;

/** Everything is closed in reverse order, also after an error, with the database last. */
const runBench = async (command: Command, signal: AbortSignal) => {
  const { what, kind, apps, size, load, limit, transactions, renewals, bulk, imported } = command;
  if (what === "jobs") return benchJobs({ ...load, bulk, transactions, imported }, signal);
  if (what === "crowd") return benchCrowd({ ...load, transactions }, signal);
  if (what === "directus") return benchDirectus({ transactions, load }, signal);
  if (what === "sdk") return benchSdk({ ...load, customers: command.customers }, signal);
  if (what === "check") return benchChecks({ size, load }, signal);
  if (what === "flash") return benchFlash({ ...load, limit }, signal);
  if (what === "renewals") return benchRenewals(renewals, signal);
  if (what === "list" && command.all) return benchLists({ transactions, load }, signal);
  if (kind === null) return benchPublish(size, signal);
  await using database = makeDatabase();
  const settings = makeSettings(database.url);
  await fillDatabase(database, { seed: kind.seedOf({ apps, size }), settings, signal });
  const cookie = await signIn(database);
  const cases = await kind.casesOf(database, [settings.SECRET_KEYS]);
  const statements = await statementsOf(settings, { cases, headers: { cookie } });
  await using bare = await startBare(signal);
  await using product = await startProduct(settings, signal);
  const meter = openMeter(database);
  const subjects = subjectsOf({ cases, statements, bare, product, database, cookie });
  const figures = await measureInRounds(subjects, { meter, load, signal });
  printFigures(figures);
  const verdicts = kind.goalsOf(figures, cases);
  printVerdicts(verdicts);
  return verdicts;
};

const interruption = new AbortController();
// The first signal stops the benchmark cleanly, a second one kills it.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => interruption.abort());

try {
  const command = readCommand();
  if (command) {
    const verdicts = await runBench(command, interruption.signal);
    if (command.strict && verdicts.some(({ holds }) => holds === false)) process.exitCode = 1;
  } else {
    console.log(help);
    process.exitCode = 1;
  }
} catch (error) {
  if (interruption.signal.aborted) process.exitCode = 130;
  // If cleaning up also failed, the first error is the cause.
  else throw error instanceof SuppressedError ? error.suppressed : error;
}
