import { readFile, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import {
  type CatalogDiff,
  type CatalogFormat,
  catalogFormats,
  catalogTextMax,
} from "@purser/contract/catalog/catalog";
import type { Config } from "../config.ts";
import { applyCatalogFile } from "../modules/catalog/applyFile.ts";
import { compareWithWorkspace } from "../modules/catalog/compare.ts";
import { readCatalogFile } from "../modules/catalog/file/read.ts";
import { writeCatalogFile } from "../modules/catalog/file/write.ts";
import { findStoredCatalog } from "../modules/catalog/queries.ts";
import { catalogOf, countsInLabels } from "../modules/catalog/rules.ts";
import { transact } from "../platform/audit/context.ts";
import type { Db } from "../platform/db/db.ts";
import { Problem } from "../platform/http/problem.ts";
import { describeDiff } from "./catalogLabels.ts";
import { type Command, connectTo, UsageError } from "./command.ts";

type Options = Parameters<Command>[1];

const isFormat = (given: string): given is CatalogFormat =>
  catalogFormats.some((format) => format === given);

const formatOf = (format: string | undefined, file: string | undefined): CatalogFormat => {
  const asked = format ?? (file?.endsWith(".json") ? "json" : "yaml");
  if (!isFormat(asked)) throw new UsageError(`--format must be yaml or json, not "${asked}".`);
  return asked;
};

const exportTo = async (db: Db, { format, rest: [, file], print }: Options) => {
  const written = writeCatalogFile(catalogOf(await findStoredCatalog(db)), formatOf(format, file));
  if (file === undefined || file === "-") print(written);
  else await writeFile(file, written);
};

const readSource = async (file: string) => {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Can't read the file: ${why}.`);
  }
};

const readGiven = async ({ rest: [action, file] }: Options) => {
  if (file === undefined)
    throw new UsageError(`Missing file. Usage: purser catalog ${action} <file>, with - for stdin.`);
  const source = await readSource(file);
  if (source.length > catalogTextMax)
    throw new UsageError(
      `The file has more than ${catalogTextMax.toLocaleString("en-US")} characters.`,
    );
  try {
    return { name: file, file: await readCatalogFile(source) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const lines = (error.extra.errors ?? []).map(({ line, column, message, parameters }) =>
      [`${file}:${line}:${column}`, parameters?.["path"], message].filter(Boolean).join(" "),
    );
    throw new UsageError(lines.join("\n"));
  }
};

const show = (shown: CatalogDiff, name: string, { print }: Options) => {
  print(describeDiff(shown, name, countsInLabels(shown.counts)));
  return shown.blockingIssues.length === 0;
};

const diff = async (db: Db, options: Options) => {
  const { name, file } = await readGiven(options);
  const archiveMissing = options["archive-missing"] ?? false;
  const { shown } = await compareWithWorkspace(db, { file, archiveMissing });
  if (!show(shown, name, options)) options.exitWith(1);
  else if (shown.changes.length > 0) options.exitWith(2);
};

const isSure = async ({ yes, ask }: Options) => {
  if (yes) return true;
  if (!ask)
    throw new UsageError("Not running in a terminal. Use --yes to apply without confirmation.");
  return /^y(es)?$/i.test((await ask("Apply these changes? [y/N] ")).trim());
};

const actor = () => ({
  kind: "system" as const,
  id: null,
  name: `catalog (${userInfo().username})`,
});

const apply = async (db: Db, options: Options) => {
  const { name, file } = await readGiven(options);
  const archiveMissing = options["archive-missing"] ?? false;
  const { shown } = await compareWithWorkspace(db, { file, archiveMissing });
  if (!show(shown, name, options)) return options.exitWith(1);
  if (shown.changes.length === 0) return;
  if (!(await isSure(options))) {
    options.print("No changes applied.\n");
    return options.exitWith(2);
  }
  const context = {
    actor: actor(),
    address: null,
    requestId: null,
    reason: `Applied from ${basename(name)}`,
  };
  const { result } = await transact(db, context, (transaction) =>
    applyCatalogFile(transaction, { file, archiveMissing, hash: shown.hash, now: new Date() }),
  );
  options.print(`${result.detail.text}\n`);
  for (const { code, number } of result.drafts)
    options.print(`  ${code}: draft version ${number}\n`);
};

const actions = { export: exportTo, diff, apply };

const withDatabase = async (config: Config, work: (db: Db) => Promise<void>) => {
  const { db } = connectTo(config, "purser catalog");
  try {
    await work(db);
  } catch (error) {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  } finally {
    await db.destroy();
  }
};

/** Exports, compares and applies the catalog file, for example in a build that runs on merge. */
export const catalog: Command = async (config, options) => {
  const [action = ""] = options.rest;
  if (action !== "export" && action !== "diff" && action !== "apply")
    throw new UsageError("Usage: purser catalog export, diff or apply.");
  await withDatabase(config, (db) => actions[action](db, options));
};
