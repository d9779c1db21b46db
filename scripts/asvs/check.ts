import type { Requirement } from "./levels.ts";

const answers = ["met", "not applicable", "not met"] as const;
type Answer = (typeof answers)[number];

/** A row of docs/asvs.md. */
type Row = { id: string; level: string; answer: string; text: string };

/** The content of a file of the repository, or null if there is none. */
export type ReadFile = (path: string) => string | null;

const columns = 5;

const rowsIn = (page: string): Row[] =>
  page
    .split("\n")
    .filter((line) => /^\| *V\d/.test(line))
    .map((line) => {
      const cells = line.split("|").map((cell) => cell.trim());
      const [, id = "", level = "", , answer = "", ...rest] = cells;
      // A cell too few or too many leaves no answer, so that the row is reported.
      const isComplete = cells.length === columns + 2;
      return { id, level, answer: isComplete ? answer : "", text: rest.join(" ").trim() };
    });

type Reference = { path: string; symbol: string; fragment: string };

const quoted =
  /`(?<path>[\w.@-]+(?:\/[\w.@-]+)*)(?:#(?<symbol>[\w-]+))?`(?: "(?<fragment>[^"]+)")?/g;
const isPath = (text: string) => /\/|\.(?:tsx?|md|sql|json|example)$/.test(text);

const referencesIn = (text: string): Reference[] =>
  [...text.matchAll(quoted)]
    .map(({ groups: { path = "", symbol = "", fragment = "" } = {} }) => ({
      path,
      symbol,
      fragment,
    }))
    .filter(({ path }) => isPath(path));

/** The anchor of a heading, as GitHub writes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const hasSymbol = (path: string, content: string, symbol: string) =>
  path.endsWith(".md")
    ? [...content.matchAll(/^#+ (.+)$/gm)].some(([, heading = ""]) => anchorOf(heading) === symbol)
    : new RegExp(`(?<![\\w-])${symbol}(?![\\w-])`).test(content);

const faultOf = ({ path, symbol, fragment }: Reference, read: ReadFile) => {
  const content = read(path);
  if (content === null) return `${path} doesn't exist.`;
  if (symbol && !hasSymbol(path, content, symbol)) return `${path} has no ${symbol}.`;
  return content.includes(fragment) ? null : `${path} has no "${fragment}".`;
};

const isAnswer = (text: string): text is Answer => answers.some((answer) => answer === text);

const isReason = (text: string) => text.split(/\s+/).length >= 3;

const faultsOf = ({ id, answer, text }: Row, read: ReadFile) => {
  if (!isAnswer(answer)) return [`${id} needs an answer: ${answers.join(", ")}.`];
  const references = referencesIn(text);
  const found = references.flatMap((one) => faultOf(one, read) ?? []);
  if (answer === "met" && references.length === 0) found.push("The answer needs a reference.");
  if (answer !== "met" && !isReason(text)) found.push("The answer needs a reason.");
  return found.map((fault) => `${id}: ${fault}`);
};

/** Rows that are missing, unknown, repeated, or have another level than in the standard. */
const faultsOfIds = (rows: readonly Row[], expected: readonly Requirement[]) => {
  const ids = rows.map(({ id }) => id);
  const repeated = ids.filter((id, place) => ids.indexOf(id) !== place);
  const missing = expected.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
  const wrong = rows.flatMap(({ id, level }) => {
    const known = expected.find((one) => one.id === id);
    if (!known) return [`${id} isn't a requirement of level 1 or 2.`];
    return level === `L${known.level}` ? [] : [`${id} has level L${known.level}.`];
  });
  return [
    ...repeated.map((id) => `${id} is there twice.`),
    ...missing.map((id) => `${id} is missing.`),
    ...wrong,
  ];
};

const begin = "<!-- counts: written by `npm run asvs` -->";
const end = "<!-- end of counts -->";

const countsOf = (rows: readonly Row[]) => {
  const line = (name: string, counted: readonly Row[]) => {
    const numbers = answers.map((given) => counted.filter(({ answer }) => answer === given).length);
    return `| ${[name, ...numbers, counted.length].join(" | ")} |`;
  };
  return [
    `| level | ${answers.join(" | ")} | rows |`,
    "|---|---|---|---|---|",
    ...["L1", "L2"].map((name) =>
      line(
        name,
        rows.filter(({ level }) => level === name),
      ),
    ),
    line("both", rows),
  ].join("\n");
};

/** The page with current counts at its top. */
export const withCounts = (page: string) => {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page needs ${begin} and ${end}.`);
  return `${page.slice(0, from + begin.length)}\n${countsOf(rowsIn(page))}\n${page.slice(to)}`;
};

/** What is wrong with the page. */
export const faultsIn = (page: string, expected: readonly Requirement[], read: ReadFile) => {
  const rows = rowsIn(page);
  return [
    ...faultsOfIds(rows, expected),
    ...rows.flatMap((row) => faultsOf(row, read)),
    ...(withCounts(page) === page ? [] : ["The counts are outdated. Run `npm run asvs`."]),
  ];
};
