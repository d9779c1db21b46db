import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !/db\/schema\.ts$|\.gen\.ts$/.test(file))
  // One that is being removed is listed until that is committed.
  .filter((file) => existsSync(join(root, file)));
const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** The modules, lowest first: an import may only point down. One that isn't here is above all of these. */
const order = [
  "settings",
  "comments",
  "views",
  "apps",
  "features",
  "packages",
  "promotions",
  "users",
  "integration",
  "entitlements",
  "snapshots",
  "usage",
  "billing",
  "taxes",
  "ledger",
  "documents",
  "transactions",
  "subscriptions",
  "customerMerge",
  "customerSummary",
  "appCustomers",
  "providers",
  "catalog",
  "webhooks",
  "imports",
  "privacy",
  "approvals",
  "reports",
];

const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, path]) => path ?? "");
const moduleOf = (path: string) => /modules\/(\w+)\//.exec(path)?.[1];

const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

const upwardImports = (all: typeof sources) =>
  all.flatMap(({ file, text }) => {
    const own = moduleOf(file);
    if (!own) return [];
    return importsOf(text)
      .map((path) => moduleOf(path.startsWith(".") ? join(dirname(file), path) : path))
      .filter((other) => other !== undefined && other !== own)
      .filter((other) => placeOf(other ?? "") >= placeOf(own))
      .map((other) => `${file} imports ${other}`);
  });

test("modules import only from modules below them", () => {
  expect(upwardImports(sources)).toEqual([]);
  const planted = {
    file: "server/src/modules/apps/rules.ts",
    text: 'import { x } from "#modules/users/rules.ts";',
  };
  expect(upwardImports([planted])).toEqual(["server/src/modules/apps/rules.ts imports users"]);
  const unknown = { ...planted, text: 'import { x } from "#modules/coupons/rules.ts";' };
  expect(upwardImports([unknown])).toEqual(["server/src/modules/apps/rules.ts imports coupons"]);
});

const orderFaults = (listed: readonly string[], all: readonly string[]) => {
  const modules = new Set(all.flatMap((file) => moduleOf(file) ?? []));
  return [
    ...[...modules].filter((name) => !listed.includes(name)).map((name) => `${name} is not listed`),
    ...listed.filter((name) => !modules.has(name)).map((name) => `${name} does not exist`),
  ];
};

test("the order lists every module and nothing else", () => {
  expect(orderFaults(order, files)).toEqual([]);
  const planted = ["server/src/modules/coupons/rules.ts", "server/src/modules/apps/rules.ts"];
  expect(orderFaults(["apps", "orders"], planted)).toEqual([
    "coupons is not listed",
    "orders does not exist",
  ]);
});

/** Tables that the platform reads or writes itself. Every other table belongs to a module. */
const platformTables = new Set([
  ...["users", "settings", "app_keys", "sessions", "challenges", "links", "tries", "sign_ins"],
  "installation",
  ...["storage_sizes", "archives", "service_accounts", "service_keys"],
  ...["passwords", "authenticators", "recovery_codes", "passkeys", "identities", "known_devices"],
  ...["second_factor_duties", "preferences", "drafts", "idempotency_keys", "exports", "backfills"],
  ...["notifications", "test_clock", "test_team"],
  ...["list_jobs", "list_job_rows", "list_job_chunks"],
]);

const tables = [
  ...readFileSync(join(root, "server/schema.sql"), "utf8").matchAll(
    /^CREATE TABLE public\.(\w+)/gm,
  ),
].map(([, name = ""]) => name);

const isPlatformTable = (name: string) => platformTables.has(name) || /^(audit|kysely)_/.test(name);

const camelCased = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** In SQL text, and as the argument of a query builder. */
const namesTable = (text: string, name: string) =>
  new RegExp(`\\b(from|join|into|update|using)\\s+${name}\\b`).test(text) ||
  new RegExp(`(From|Into|Table|Join|with)\\(\\s*"${camelCased(name)}\\b`).test(text);

const isTest = (file: string) => /\.(test|testing|fixture)\.ts$|\/testing\.ts$/.test(file);

const platformFaults = (all: typeof sources) => {
  const own = all.filter(({ file }) => file.startsWith("server/src/platform/"));
  const imports = own.flatMap(({ file, text }) =>
    importsOf(text)
      .map((path) => moduleOf(path.startsWith(".") ? join(dirname(file), path) : path))
      .filter((name) => name !== undefined && !isTest(file))
      .map((name) => `${file} imports ${name}`),
  );
  const foreign = tables.filter((name) => !isPlatformTable(name));
  const named = own
    .filter(({ file }) => !isTest(file))
    .flatMap(({ file, text }) =>
      foreign.filter((name) => namesTable(text, name)).map((name) => `${file} names ${name}`),
    );
  return [...imports, ...named];
};

test("the platform knows no module and no table of a module", () => {
  expect(platformFaults(sources)).toEqual([]);
  const file = "server/src/platform/audit/planted.ts";
  const planted = [
    'import { x } from "#modules/apps/rules.ts";',
    '"select id from sessions s join version_prices p on true"',
    'db.selectFrom("packageVersions").select("id")',
  ];
  expect(platformFaults(planted.map((text) => ({ file, text })))).toEqual([
    `${file} imports apps`,
    `${file} names version_prices`,
    `${file} names package_versions`,
  ]);
});

const hasSql = (text: string) =>
  [
    /\b(statement|selection|template)\(\s*"|\bsql`/,
    /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    /(?<![.\w])(run|first)\(/,
  ].some((pattern) => pattern.test(text));

/** In a module SQL stands in `queries.ts` and `…Queries.ts`, on the platform anywhere but in routes. */
const misplacedSql = (all: typeof sources) =>
  all
    .filter(({ file }) =>
      /^server\/src\/modules\//.test(file)
        ? !/queries\.ts$|\.(test|testing|fixture)\.ts$|\/(seed|testing)\//i.test(file)
        : /^server\/src\/.*routes\.ts$/i.test(file),
    )
    .filter(({ text }) => hasSql(text))
    .map(({ file }) => file);

test("SQL is only in queries", () => {
  expect(misplacedSql(sources)).toEqual([]);
  const planted = [
    { file: "server/src/modules/apps/routes.ts", text: 'statement(\n  "apps.x", "select 1")' },
    { file: "server/src/modules/apps/keyRoutes.ts", text: 'db.updateTable("apps")' },
    { file: "server/src/modules/apps/lifecycle.ts", text: 'await run(db, "select 1")' },
    { file: "server/src/platform/jobs/routes.ts", text: "await run(db, retrySql)" },
    { file: "server/src/modules/users/routes.ts", text: "write.run({ db })" },
    { file: "server/src/modules/users/queries.ts", text: 'statement("users.x", "select 1")' },
    { file: "server/src/modules/users/noteQueries.ts", text: "await run(db, notesSql)" },
  ];
  expect(misplacedSql(planted)).toEqual(planted.slice(0, 4).map(({ file }) => file));
});

const linesOf = (text: string) => text.split("\n").length - 1;

test("no file is longer than 400 lines", () => {
  const long = sources.filter(({ text }) => linesOf(text) > 400).map(({ file }) => file);
  expect(long).toEqual([]);
});

const lengthP95 = 250;

const p95Of = (lengths: readonly number[]) =>
  lengths.toSorted((one, other) => one - other)[Math.ceil(lengths.length * 0.95) - 1] ?? 0;

const lengthFaults = (all: typeof sources) =>
  [...Map.groupBy(all, ({ file }) => file.split("/")[0] ?? "")].flatMap(([workspace, own]) => {
    const p95 = p95Of(own.map(({ text }) => linesOf(text)));
    return p95 > lengthP95 ? [`${workspace} has a p95 of ${p95} lines`] : [];
  });

test("95 % of the files of a workspace have at most 250 lines", () => {
  expect(lengthFaults(sources)).toEqual([]);
  const planted = (workspace: string, long: number) =>
    Array.from({ length: 20 }, (_, place) => ({
      file: `${workspace}/src/planted${place}.ts`,
      text: "x\n".repeat(place < long ? 251 : 10),
    }));
  const all = [...planted("web", 1), ...planted("bench", 2)];
  expect(lengthFaults(all)).toEqual(["bench has a p95 of 251 lines"]);
});

/** A module without one of these parts says why in one line: `// No rules.ts: …`. */
const parts = ["routes", "rules", "queries"];

const missingParts = (all: typeof sources) =>
  [...Map.groupBy(all, ({ file }) => moduleOf(file) ?? "")].flatMap(([module, own]) => {
    if (!module) return [];
    return parts
      .filter((part) => !own.some(({ file }) => new RegExp(`${part}\\.ts$`, "i").test(file)))
      .filter((part) => !own.some(({ text }) => text.includes(`// No ${part}.ts:`)))
      .map((part) => `${module} has no ${part}.ts`);
  });

test("a module has routes, rules and queries, or says why not", () => {
  const ofModules = sources.filter(({ file }) => file.startsWith("server/src/modules/"));
  expect(missingParts(ofModules)).toEqual([]);
  const planted = ["routes.ts", "freeze/rules.ts"].map((name) => ({
    file: `server/src/modules/coupons/${name}`,
    text: "export const x = 1;",
  }));
  expect(missingParts(planted)).toEqual(["coupons has no queries.ts"]);
});

/** Static, dynamic and type-only imports. Anywhere but at the start of a line it may be a text of a test. */
const importedBy = (text: string) =>
  [
    ...text.matchAll(/^(?:import|\}).*? from "([^"]+)"|^import "([^"]+)"|import\("([^"]+)"\)/gm),
  ].map(([, named, bare, dynamic]) => named ?? bare ?? dynamic ?? "");

const resolved = (file: string, path: string) => {
  if (path.startsWith(".")) return join(dirname(file), path);
  return path.startsWith("#") ? join(file.split("/")[0] ?? "", "src", path.slice(1)) : null;
};

/** One line for each way back to a file that is still being visited. */
const importCycles = (all: typeof sources) => {
  const graph = new Map(
    all.map(({ file, text }) => [file, importedBy(text).map((path) => resolved(file, path))]),
  );
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(" > "));
    if (done.has(file)) return;
    done.add(file);
    for (const next of graph.get(file) ?? []) if (next) visit(next, [...trail, file]);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
};

test("no files import each other in a cycle, not even for types", () => {
  expect(importCycles(sources)).toEqual([]);
  const planted = [
    { file: "web/src/ui/A.tsx", text: 'import { b } from "#lib/b.ts";\n' },
    { file: "web/src/lib/b.ts", text: 'import {\n  type C,\n} from "./c.ts";\n' },
    { file: "web/src/lib/c.ts", text: 'const A = lazy(() => import("../ui/A.tsx"));\n' },
    { file: "e2e/d.ts", text: 'import type { E } from "./e.ts";\n' },
    { file: "e2e/e.ts", text: 'import "./d.ts";\n' },
    { file: "bench/src/f.ts", text: 'import { b } from "../../web/src/lib/b.ts";\n' },
  ];
  expect(importCycles(planted)).toEqual([
    "web/src/ui/A.tsx > web/src/lib/b.ts > web/src/lib/c.ts > web/src/ui/A.tsx",
    "e2e/d.ts > e2e/e.ts > e2e/d.ts",
  ]);
});

test("T28 only contract/src/fields/text.ts takes bare strings from outside", () => {
  const bare = sources
    .filter(({ file }) => file.startsWith("contract/") && !file.endsWith("src/fields/text.ts"))
    .filter(({ text }) => /z\.string\(|z\.any\(/.test(text))
    .map(({ file }) => file);
  expect(bare).toEqual([]);
});

const secretForms = (all: typeof sources) =>
  all
    .filter(({ text }) => /\bRecordForm\b|\buseRecordForm\b/.test(text))
    .filter(({ text }) => /PasswordInput|NewPassword|secretText|type="password"/.test(text))
    .map(({ file }) => file);

test("no form that keeps drafts asks for a secret: it would be stored readable", () => {
  const ofScreens = sources.filter(({ file }) => file.startsWith("web/src/"));
  expect(secretForms(ofScreens)).toEqual([]);
  const planted = {
    file: "web/src/screens/planted.tsx",
    text: 'import { useRecordForm } from "#ui/form/useRecordForm.ts";\n<PasswordInput />',
  };
  expect(secretForms([planted])).toEqual([planted.file]);
});

test("only main.ts and tests read the environment", () => {
  const readers = sources
    .filter(({ file }) => file.startsWith("server/src/"))
    .filter(
      ({ file }) => !/\.(test|testing|fixture)\.ts$|\/testing\.ts$|testTemplate\.ts$/.test(file),
    )
    .filter(({ text }) => text.includes("process.env"))
    .map(({ file }) => file);
  expect(readers).toEqual(["server/src/main.ts"]);
});

const handTypedRows = (all: typeof sources) =>
  all
    .filter(({ file }) => /^(server|bench|scripts)\//.test(file) && !file.endsWith("db/db.ts"))
    .filter(({ text }) => /\b(run|first|sql)</.test(text))
    .map(({ file }) => file);

test("no row type is written by hand next to SQL text", () => {
  const own = "server/src/architecture.test.ts";
  expect(handTypedRows(sources.filter(({ file }) => file !== own))).toEqual([]);
  const planted = { file: "server/src/planted.ts", text: "run<{ id: string }>(db, text)" };
  expect(handTypedRows([planted])).toEqual([planted.file]);
});

test("no module or platform file keeps a database handle of its own", () => {
  const keepers = sources
    .filter(({ file }) => file.startsWith("server/src/modules/") && !file.endsWith(".test.ts"))
    .filter(({ text }) => /connect\(|new Pool|new Kysely/.test(text))
    .map(({ file }) => file);
  expect(keepers).toEqual([]);
});
