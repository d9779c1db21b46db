import { existsSync, readFileSync } from "node:fs";
import { pathOf } from "./environment.ts";

type Result = { name: string; passed: boolean };

type UnitReport = { testResults: { assertionResults: { fullName: string; status: string }[] }[] };
type Suite = { suites?: Suite[]; specs?: { title: string; ok: boolean }[] };

const readReport = <T>(file: string, command: string): T => {
  if (existsSync(pathOf(file))) return JSON.parse(readFileSync(pathOf(file), "utf8"));
  process.stderr.write(`${file} is missing. Run \`${command}\` first.\n`);
  process.exit(1);
};

const unitResults = (): Result[] =>
  readReport<UnitReport>("test-results/unit.json", "npm test").testResults.flatMap(
    ({ assertionResults }) =>
      assertionResults
        // Skipped here because it only runs nightly (docs/testing.md).
        .filter(({ status }) => status === "passed" || status === "failed")
        .map(({ fullName, status }) => ({ name: fullName, passed: status === "passed" })),
  );

const specsOf = ({ suites = [], specs = [] }: Suite): Result[] => [
  ...specs.map(({ title, ok }) => ({ name: title, passed: ok })),
  ...suites.flatMap(specsOf),
];

const results = [
  ...unitResults(),
  ...specsOf(readReport<Suite>("test-results/browser.json", "npm run e2e")),
];

const rows = [
  ...readFileSync(pathOf("docs/acceptance.md"), "utf8").matchAll(
    /^\| (S?\d[\w.]*) \| (.*?) \| (\w+)(.*?) \|$/gm,
  ),
].map(([, id = "", what = "", how = "", note = ""]) => ({ id, what, how, note }));

/** Matches the id as a whole word: S9.1 is not S9.10. */
const carries = (name: string, id: string) => name.split(/[\s:,]+/).includes(id);

const stateOf = ({ id, how, note }: (typeof rows)[number]) => {
  if (how !== "test") return { state: how, tests: [] };
  const [, other] = / as (\S+)/.exec(note) ?? [];
  const tests = results.filter(({ name }) => carries(name, other ?? id));
  if (tests.length === 0) return { state: "MISSING", tests };
  return { state: tests.every(({ passed }) => passed) ? "passed" : "FAILED", tests };
};

for (const row of rows) {
  const { state, tests } = stateOf(row);
  if (state === "MISSING" || state === "FAILED") process.exitCode = 1;
  const [first] = tests.toSorted((a, b) => Number(a.passed) - Number(b.passed));
  const more = tests.length > 1 ? ` (and ${tests.length - 1} more)` : "";
  console.log(
    `${row.id.padEnd(6)} ${state.padEnd(8)} ${first ? `${first.name}${more}` : row.what}`,
  );
}
