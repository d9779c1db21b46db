import { headerOf, type Migration } from "../../server/src/platform/db/migrations/files.ts";
import { columnFaults, notNullFaults, validationFaults } from "./columns.ts";
import { isSplitRight, type ParsedMigration, parseMigration } from "./parse.ts";
import {
  dataFaults,
  indexFaults,
  lockFaults,
  removalFaults,
  repeatFaults,
  statementFaults,
} from "./statements.ts";

/** Migrations up to this one were applied everywhere before there were rules. */
const lastExempt = "0024";

const numberOf = (name: string) => name.slice(0, 4);

const directive =
  /^-- (without transaction|(requires )?backfill: [a-z][a-z0-9-]*|unused since \d+\.\d+\.\d+)$/;
const looksLikeDirective = /^--\s*(without transaction|(requires )?backfill:|unused since)/i;

const directiveFaults = (
  { name, text, directives }: ParsedMigration,
  earlier: readonly ParsedMigration[],
) => {
  const header = headerOf(text);
  const lines = text.split("\n").filter((line) => looksLikeDirective.test(line));
  const started = earlier.flatMap((one) => one.directives.starts);
  return [
    ...lines
      .filter((line) => !directive.test(line) || !header.includes(line))
      .map((line) => `"${line}" isn't a directive, or isn't in the comment at the top.`),
    lines.includes("-- without transaction") && directives.isTransactional
      ? '"-- without transaction" must be the first line.'
      : "",
    ...directives.requires
      .filter((one) => !started.includes(one))
      .map((one) => `It requires the backfill ${one}, which no earlier migration starts.`),
    ...directives.starts
      .filter((one) => started.includes(one))
      .map((one) => `An earlier migration starts the backfill ${one} already.`),
    /^\d{4}_[a-z0-9_]+$/.test(name) ? "" : "Name it like 0025_backfills.sql.",
    earlier.some((one) => numberOf(one.name) === numberOf(name))
      ? "Another migration has the same number."
      : "",
  ];
};

const faultsOf = async (
  file: ParsedMigration,
  earlier: readonly ParsedMigration[],
  releases: readonly string[],
) => [
  ...directiveFaults(file, earlier),
  ...columnFaults(file),
  ...validationFaults(file),
  ...notNullFaults(file, earlier),
  ...indexFaults(file),
  ...removalFaults(file, releases),
  ...dataFaults(file),
  ...statementFaults(file),
  ...lockFaults(file),
  ...repeatFaults(file),
  (await isSplitRight(file.text)) || file.directives.isTransactional
    ? ""
    : "The runner can't separate its statements. Use plain statements without nested comments.",
];

/** Versions with a date in the changelog. */
export const releasesIn = (changelog: string) =>
  [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(/gm)].map(([, version = ""]) => version);

/** What is wrong with the migrations, in sentences that begin with the name of the file. */
export const lintMigrations = async (
  migrations: readonly Migration[],
  releases: readonly string[],
) => {
  const files = await Promise.all(migrations.map(parseMigration));
  const faults: string[] = [];
  for (const [place, file] of files.entries()) {
    if (numberOf(file.name) <= lastExempt) continue;
    const found = await faultsOf(file, files.slice(0, place), releases);
    faults.push(...found.filter(Boolean).map((fault) => `${file.name}: ${fault}`));
  }
  return faults;
};
