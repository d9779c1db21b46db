import { catalogueDiff } from "@purser/contract/catalog/catalog";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { applySteps } from "./apply.ts";
import { compareWithOffice } from "./compare.ts";
import { lockOffice } from "./queries.ts";
import type { Placed } from "./read.ts";
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
 * Makes the office what the file says, if that is still what was shown. All of it or nothing, in the caller's
 * transaction, and nothing of it goes on sale.
 */
export const applyCatalogue = async (db: Db, { file, archiveMissing, hash, now }: Asked) => {
  await lockOffice(db);
  const { shown, steps } = await compareWithOffice(db, { file, archiveMissing });
  if (shown.hash !== hash)
    throw new Problem(
      "impact_changed",
      "The office changed since you looked. Look at what the file changes now, then apply it.",
      { current: z.encode(catalogueDiff, shown) },
    );
  const [first, ...others] = shown.obstacles;
  if (first) {
    const more = others.length > 0 ? ` ${others.length} more stand in the way.` : "";
    throw new Problem("wrong_state", `${first.message}${more}`);
  }
  const drafts = await applySteps(db, steps, now);
  return { applied: shown, detail: detailOf(countsInLabels(shown.counts), drafts.length), drafts };
};
