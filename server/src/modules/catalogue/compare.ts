import { createHash } from "node:crypto";
import type { CatalogueDiff } from "@purser/contract/catalog/catalog";
import type { Db } from "#platform/db/db.ts";
import { pointerOf } from "./parse.ts";
import { findOffice } from "./queries.ts";
import { inWordsOfFile, type Placed } from "./read.ts";
import { diffCatalogue } from "./rules.ts";

type Asked = { file: Placed; archiveMissing: boolean };

/** Stands for what is shown: if the office is another one later, it is another one too. */
const hashOf = (shown: unknown) =>
  createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 32);

/** What applying the file would do at this moment, to show and to do. */
export const compareWithOffice = async (db: Db, { file, archiveMissing }: Asked) => {
  const found = diffCatalogue(await findOffice(db), file.catalogue, archiveMissing);
  const changes = found.steps.map(({ shown }) => shown);
  const obstacles = found.obstacles.map(({ what, code, message, path }) => ({
    what,
    code,
    message: inWordsOfFile(message),
    pointer: path && pointerOf(path),
    ...(path ? file.placeOf(path) : { line: null, column: null }),
  }));
  const shown: CatalogueDiff = {
    changes,
    counts: found.counts,
    obstacles,
    notes: found.notes,
    hash: hashOf([changes, obstacles]),
  };
  return { shown, steps: found.steps };
};
