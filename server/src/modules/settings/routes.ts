// No rules.ts: the contract validates the fields, and the only other check needs the environment.
import {
  changeSettings,
  getCompany,
  getSettings,
  getSettingsActivity,
  settings as settingsReply,
} from "@purser/contract/workspace/settings";
import type { FastifyInstance } from "fastify";
import { findActivity } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { findRecords, replaceSettings } from "./queries.ts";

export const settingsRoutes = (app: FastifyInstance) => {
  const { COMPANY_NAME, COMPANY_TIME_ZONE, OIDC_ISSUER } = app.platform.config;

  /** The settings in effect, with the values of the environment where none was saved. */
  const readSettings = async (db: Db, lock: "" | "for update" = "") => {
    const stored = await findSettings(db, lock);
    return {
      ...stored,
      companyName: stored.companyName ?? COMPANY_NAME,
      timeZone: stored.timeZone ?? COMPANY_TIME_ZONE,
    };
  };

  serve(app, getSettings, ({ db }) => readSettings(db));

  serve(app, changeSettings, async ({ db, body: { reason: _, ...details }, assertVersion }) => {
    assertVersion(await readSettings(db, "for update"), settingsReply);
    if (!details.passwordsAllowed && !OIDC_ISSUER)
      throw invalidAt(
        "/passwordsAllowed",
        message(
          "password_sign_in_only",
          "Set up single sign-on (OIDC_ISSUER) before you turn off password sign-in.",
        ),
      );
    await replaceSettings(db, details);
    return readSettings(db);
  });

  serve(app, getSettingsActivity, async ({ db, query, session }) =>
    findActivity(db, { records: await findRecords(db), ...query }, session),
  );

  serve(app, getCompany, async ({ db }) => {
    const { companyName, timeZone, currencies } = await readSettings(db);
    return { name: companyName, timeZone, currencies };
  });
};
