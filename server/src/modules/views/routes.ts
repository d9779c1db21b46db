import {
  changeSharedView,
  deleteSharedView,
  listSharedViews,
  sharedViewsMax,
  shareView,
} from "@purser/contract/workspace/sharedViews";
import type { FastifyInstance } from "fastify";
import { existing, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import {
  clearDefault,
  findSharedView,
  findSharedViews,
  insertSharedView,
  lockSharedView,
  removeSharedView,
  updateSharedView,
} from "./queries.ts";
import { refusalToChange, refusalToSetDefault } from "./rules.ts";

export const viewRoutes = (app: FastifyInstance) => {
  serve(app, listSharedViews, async ({ db }) => ({ items: await findSharedViews(db) }));

  serve(app, shareView, async ({ db, body: { list, ...details }, session }) => {
    refuse(refusalToSetDefault(false, details.isDefault, session));
    if (details.isDefault) await clearDefault(db, list);
    const id = await insertSharedView(db, list, session.userId, details);
    if (id === undefined)
      throw new Problem(
        "wrong_state",
        message(
          "shared_views_too_many",
          "Your team can share up to {max} views per list. Delete one first.",
          { max: sharedViewsMax },
        ),
      );
    return existing(await findSharedView(db, id), "sharedView");
  });

  serve(app, changeSharedView, async ({ db, params: { id }, body, session }) => {
    const stored = existing(await lockSharedView(db, id), "sharedView");
    refuse(refusalToChange(stored, session));
    refuse(refusalToSetDefault(stored.isDefault, body.isDefault, session));
    if (body.isDefault && !stored.isDefault) await clearDefault(db, stored.list);
    await updateSharedView(db, id, body);
    return existing(await findSharedView(db, id), "sharedView");
  });

  serve(app, deleteSharedView, async ({ db, params: { id }, session }) => {
    refuse(refusalToChange(existing(await lockSharedView(db, id), "sharedView"), session));
    await removeSharedView(db, id);
  });
};
