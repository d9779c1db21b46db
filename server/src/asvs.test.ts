import { expect, test } from "vitest";
import { faultsIn, withCounts } from "../../scripts/asvs/check.ts";
import { requirements } from "../../scripts/asvs/levels.ts";

// `npm run check` runs these rules on docs/asvs.md. The faults here are planted, so that each rule is seen failing.

const files = new Map([
  ["server/src/cookies.test.ts", 'test("binds cookies to the host", async () => {});'],
  ["server/src/headers.ts", "export const setHeaders = () => undefined;"],
  ["docs/operations.md", "# Operations\n\n## Single sign-on (SSO)\n"],
]);
const read = (path: string) => files.get(path) ?? null;

const expected = [
  { id: "V1.1.1", level: 1 },
  { id: "V1.1.2", level: 2 },
  { id: "V1.2.1", level: 2 },
];

const met = '| V1.1.1 | L1 | Cookies | met | `server/src/cookies.test.ts` "binds cookies" |';
const named =
  "| V1.1.2 | L2 | Headers | met | `server/src/headers.ts#setHeaders`, `docs/operations.md#single-sign-on-sso` |";
const missing = "| V1.2.1 | L2 | Vault | not met | There is no vault. |";

const pageOf = (...rows: string[]) =>
  withCounts(
    [
      "# ASVS",
      "<!-- counts: written by `npm run asvs` -->",
      "<!-- end of counts -->",
      "| id | level | requirement | answer | reference |",
      "|---|---|---|---|---|",
      ...rows,
    ].join("\n"),
  );

const faultsOf = (page: string) => faultsIn(page, expected, read);

test("A complete page has no fault", () => {
  expect(faultsOf(pageOf(met, named, missing))).toEqual([]);
});

test.each([
  ["no answer", met.replace("| met |", "|  |"), "V1.1.1 needs an answer"],
  ["another answer", met.replace("| met |", "| partly |"), "V1.1.1 needs an answer"],
  ["a missing cell", met.replace("| Cookies ", ""), "V1.1.1 needs an answer"],
  [
    "no reference",
    "| V1.1.1 | L1 | Cookies | met | All `Secure` cookies. |",
    "V1.1.1: The answer needs a reference.",
  ],
  ["a file that doesn't exist", met.replace("cookies.test", "gone.test"), "gone.test.ts doesn't"],
  ["a test that doesn't exist", met.replace('"binds', '"hides'), 'has no "hides cookies"'],
  ["another level", met.replace("L1", "L2"), "V1.1.1 has level L1."],
])("A row with %s is found", (_fault, row, fault) => {
  expect(faultsOf(pageOf(row, named, missing))).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ["name", named.replace("#setHeaders", "#setHeader"), "has no setHeader."],
  ["heading", named.replace("#single-sign-on-sso", "#sso"), "has no sso."],
])("A %s that doesn't exist is found", (_kind, row, fault) => {
  expect(faultsOf(pageOf(met, row, missing))).toEqual([expect.stringContaining(fault)]);
});

test.each(["not met", "not applicable"])("An answer without a reason is found: %s", (answer) => {
  const row = `| V1.2.1 | L2 | Vault | ${answer} | No. |`;
  expect(faultsOf(pageOf(met, named, row))).toEqual(["V1.2.1: The answer needs a reason."]);
});

test("Missing, unknown and repeated rows are found", () => {
  expect(faultsOf(pageOf(met, named))).toEqual(["V1.2.1 is missing."]);
  expect(faultsOf(pageOf(met, named, missing, missing))).toEqual(["V1.2.1 is there twice."]);
  expect(faultsOf(pageOf(met, named, missing, missing.replace("V1.2.1", "V1.2.9")))).toEqual([
    "V1.2.9 isn't a requirement of level 1 or 2.",
  ]);
});

test("Outdated counts are found", () => {
  const page = pageOf(met, named, missing);
  expect(page).toContain("| both | 2 | 0 | 1 | 3 |");
  expect(faultsOf(page.replace("| both | 2 |", "| both | 3 |"))).toEqual([
    "The counts are outdated. Run `npm run asvs`.",
  ]);
});

test("The standard has 70 requirements of level 1 and 183 of level 2", () => {
  expect(requirements.filter(({ level }) => level === 1)).toHaveLength(70);
  expect(requirements.filter(({ level }) => level === 2)).toHaveLength(183);
});
