import { changeMatrix, getMatrix } from "@purser/contract/packages/matrix";
import type { FastifyInstance } from "fastify";
import { Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { readLocked, readPackage } from "../routes.ts";
import { refusalOfDraft } from "../rules.ts";
import { findDraftState, findMatrix, storeChange } from "./matrixQueries.ts";
import { conflictsOf, validationMessages } from "./matrixRules.ts";

export const matrixRoutes = (app: FastifyInstance) => {
  serve(app, getMatrix, async ({ db, params: { id }, query }) => {
    const asked = query.with ? query.with.split(",") : null;
    return findMatrix(db, await readPackage(db, id), asked);
  });

  serve(app, changeMatrix, async ({ db, params: { id }, body: { draftId, ...change } }) => {
    refuse(refusalOfDraft(await readLocked(db, id), draftId));
    const state = await findDraftState(db, draftId, change);
    const [conflict, ...more] = conflictsOf(state, change.cells);
    if (conflict)
      throw new Problem("cell_changed", `${conflict.message} Compare, then save again.`, {
        errors: [conflict, ...more],
      });
    const [complaint, ...others] = validationMessages(state, change);
    if (complaint)
      throw new Problem("invalid", complaint.message, { errors: [complaint, ...others] });
    await storeChange(db, draftId, change);
    return findMatrix(db, await readPackage(db, id), null);
  });
};
