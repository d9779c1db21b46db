import { changePreferences } from "@purser/contract/workspace/preferences";
import type { FastifyInstance } from "fastify";
import { invalidAt } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { listNames, mergePreferences } from "./preferences.ts";

const listsMax = 20;

export const preferenceRoutes = (app: FastifyInstance) => {
  serve(app, changePreferences, async ({ db, body, session }) => {
    const changed = await mergePreferences(db, session.userId, body);
    for (const name of listNames)
      if (Object.keys(changed[name]).length > listsMax)
        throw invalidAt(
          `/${name}`,
          message("lists_too_many", "You can save preferences for at most {max} lists.", {
            max: listsMax,
          }),
        );
    return changed;
  });
};
