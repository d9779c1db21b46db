import { getDraft, removeDraft, saveDraft } from "@purser/contract/workspace/unsavedChanges";
import type { FastifyInstance } from "fastify";
import { Problem } from "../http/problem.ts";
import { serve } from "../http/serve.ts";
import { message } from "../messages.ts";
import { deleteDraft, findDraft, storeDraft } from "./queries.ts";

export const draftRoutes = (app: FastifyInstance) => {
  serve(app, getDraft, async ({ db, params: { form }, session }) => ({
    draft: await findDraft(db, session.userId, form),
  }));

  serve(app, saveDraft, async ({ db, params: { form }, body, session: { userId }, now }) => {
    if (body.userId !== userId)
      throw new Problem(
        "forbidden",
        message(
          "draft_of_other_user",
          "A different user is signed in. Sign in again to keep your changes.",
        ),
      );
    await storeDraft(db, { ...body, form, savedAt: now });
    return { savedAt: now };
  });

  serve(app, removeDraft, ({ db, params: { form }, session }) =>
    deleteDraft(db, session.userId, form),
  );
};
