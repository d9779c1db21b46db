import { createHash } from "node:crypto";
import type { CatalogDiff } from "@purser/contract/catalog/catalog";
import type { Db } from "#platform/db/db.ts";
import { pointerOf } from "./file/parse.ts";
import { inFileTerms, type Placed } from "./file/read.ts";
import { findStoredCatalog } from "./queries.ts";
import { diffCatalog } from "./rules.ts";

type Asked = { file: Placed; archiveMissing: boolean };

/** Identifies a diff. It changes if the workspace changes in a way that affects the diff. */
const hashOf = (shown: unknown) =>
  createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 32);

/** Compares a file with the workspace, for display and as the steps to apply. */
export const compareWithWorkspace = async (db: Db, { file, archiveMissing }: Asked) => {
  const found = diffCatalog(await findStoredCatalog(db), file.catalog, archiveMissing);
  const changes = found.steps.map(({ shown }) => shown);
  const blockingIssues = found.blockingIssues.map(({ what, code, message, path }) => ({
    what,
    code,
    message: inFileTerms(message),
    pointer: path && pointerOf(path),
    ...(path ? file.placeOf(path) : { line: null, column: null }),
  }));
  const shown: CatalogDiff = {
    changes,
    counts: found.counts,
    blockingIssues,
    notes: found.notes,
    hash: hashOf([changes, blockingIssues]),
  };
  return { shown, steps: found.steps };
};
