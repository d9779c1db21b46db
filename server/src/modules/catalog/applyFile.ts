import { catalogDiff } from "@purser/contract/catalog/catalog";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { applySteps } from "./applySteps.ts";
import { compareWithWorkspace } from "./compare.ts";
import type { Placed } from "./file/read.ts";
import { lockStoredCatalog } from "./queries.ts";
import { countsInLabels } from "./rules.ts";

type Asked = { file: Placed; archiveMissing: boolean; hash: string; now: Date };

const detailOf = (applied: string, drafts: number) => {
  const waiting =
    drafts === 1 ? "1 draft is ready to publish" : `${drafts} drafts are ready to publish`;
  if (applied === "") return "The office already is as the file has it. Nothing was changed.";
  return drafts > 0
    ? `Applied: ${applied}. Nothing was published: ${waiting}.`
    : `Applied: ${applied}.`;
};

/**
 * Applies a file if its diff is still the one with this hash. Runs in the caller's transaction and never
 * publishes anything.
 */
export const applyCatalogFile = async (db: Db, { file, archiveMissing, hash, now }: Asked) => {
  await lockStoredCatalog(db);
  const { shown, steps } = await compareWithWorkspace(db, { file, archiveMissing });
  if (shown.hash !== hash)
    throw new Problem(
      "impact_changed",
      "The office changed since you looked. Look at what the file changes now, then apply it.",
      { current: z.encode(catalogDiff, shown) },
    );
  const [first, ...others] = shown.obstacles;
  if (first) {
    const more = others.length > 0 ? ` ${others.length} more stand in the way.` : "";
    throw new Problem("wrong_state", `${first.message}${more}`);
  }
  const drafts = await applySteps(db, steps, now);
  return { applied: shown, detail: detailOf(countsInLabels(shown.counts), drafts.length), drafts };
};
