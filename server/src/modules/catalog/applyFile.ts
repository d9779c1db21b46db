import { catalogDiff } from "@purser/contract/catalog/catalog";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { applySteps } from "./applySteps.ts";
import { compareWithWorkspace } from "./compare.ts";
import type { Placed } from "./file/read.ts";
import { lockStoredCatalog } from "./queries.ts";

type Asked = { file: Placed; archiveMissing: boolean; hash: string; now: Date };

const detailOf = (changes: number, drafts: number) => {
  if (changes === 0)
    return message("catalog_unchanged", "No changes. The catalog already matches the file.");
  if (drafts === 0)
    return message(
      "catalog_applied",
      "{changes, plural, one {# change} other {# changes}} applied.",
      { changes },
    );
  return message(
    "catalog_applied_drafts",
    "{changes, plural, one {# change} other {# changes}} applied. {drafts, plural, one {# draft is} other {# drafts are}} ready to publish.",
    { changes, drafts },
  );
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
      message(
        "catalog_changed",
        "The catalog changed since your preview. Review the changes and apply the file again.",
      ),
      { current: z.encode(catalogDiff, shown) },
    );
  const [first] = shown.blockingIssues;
  if (first) throw new Problem("wrong_state", first.message);
  const drafts = await applySteps(db, steps, now);
  return { applied: shown, detail: detailOf(shown.changes.length, drafts.length), drafts };
};
