import { changeMatrix, getMatrix } from "@purser/contract/packages/matrix";
import type { FastifyInstance } from "fastify";
import { fieldError, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { readLocked, readPackage } from "../routes.ts";
import { refusalOfDraft } from "../rules.ts";
import { findDraftState, findMatrix, storeChange } from "./matrixQueries.ts";
import { conflictsOf, type InvalidPart, invalidCells } from "./matrixRules.ts";

const refuseAll = (code: "cell_changed" | "invalid", parts: readonly InvalidPart[]) => {
  const [first] = parts;
  if (!first) return;
  const errors = parts.map(({ pointer, detail }) => fieldError(pointer, detail));
  throw new Problem(code, first.detail, { errors });
};

export const matrixRoutes = (app: FastifyInstance) => {
  serve(app, getMatrix, async ({ db, params: { id }, query }) => {
    const asked = query.with ? query.with.split(",") : null;
    return findMatrix(db, await readPackage(db, id), asked);
  });

  serve(app, changeMatrix, async ({ db, params: { id }, body: { draftId, ...change } }) => {
    refuse(refusalOfDraft(await readLocked(db, id), draftId));
    const state = await findDraftState(db, draftId, change);
    refuseAll("cell_changed", conflictsOf(state, change.cells));
    refuseAll("invalid", invalidCells(state, change));
    await storeChange(db, draftId, change);
    return findMatrix(db, await readPackage(db, id), null);
  });
};
