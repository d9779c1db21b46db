import type { Import } from "@purser/contract/workspace/imports";
import type { Db } from "#platform/db/db.ts";
import { findRetention } from "#platform/settings.ts";
import { noOutcomes } from "./check.ts";
import { findSamples, type StoredImport } from "./queries.ts";

const samplesMax = 3;
const suggestionsMax = 5;
const dayMs = 86_400_000;

const most = (counts: Record<string, number> = {}) =>
  Object.entries(counts).toSorted(([, one], [, other]) => other - one);

export const summaryOf = (own: StoredImport) => ({
  ...own,
  createdBy: { id: own.createdById, name: own.createdByName },
  done: { ...noOutcomes, ...own.progress },
});

const errorsIn = ({ checked }: StoredImport): Import["errors"] =>
  most(checked.errors).map(([name, rows]) => {
    const [field = "", code = ""] = name.split(" ");
    return { field, code, rows };
  });

const suggestionsIn = ({ checked }: StoredImport): Import["suggestions"] =>
  most(checked.suggestions)
    .slice(0, suggestionsMax)
    .map(([name, rows]) => {
      const [field, from, to] = JSON.parse(name);
      return { field, from, to, rows };
    });

const isWithinDays = ({ finishedAt }: StoredImport, days: number, now: Date) =>
  finishedAt !== null && +now < +finishedAt + days * dayMs;

/** An import as its page shows it. */
export const shownOf = async (db: Db, own: StoredImport, now: Date): Promise<Import> => {
  const samples = own.emptiedAt ? [] : await findSamples(db, own.id);
  const { importDays: keptDays } = await findRetention(db);
  const { progress, checked, status } = own;
  const ended = status === "finished" || status === "stopped";
  return {
    ...summaryOf(own),
    columns: (own.columns ?? []).map((name, place) => ({
      name,
      samples: [...new Set(samples.map(({ cells }) => cells[place] ?? ""))]
        .filter(Boolean)
        .slice(0, samplesMax),
      written: own.written[place] ?? [],
    })),
    mapping: own.mapping ?? [],
    checked: { ...noOutcomes, ...checked },
    errors: errorsIn(own),
    suggestions: suggestionsIn(own),
    ended: progress.ended ?? 0,
    hasRows: own.emptiedAt === null,
    keptDays,
    canUndo:
      ended &&
      own.emptiedAt === null &&
      (progress.new ?? 0) > 0 &&
      isWithinDays(own, keptDays, now),
  };
};
