import {
  changeSettings,
  getCompany,
  getEncryption,
  getSettings,
  getSettingsActivity,
  type SettingsDetails,
  settings as settingsReply,
} from "@purser/contract/workspace/settings";
import type { FastifyInstance } from "fastify";
import { findActivity } from "#platform/audit/activity.ts";
import { countOutdated } from "#platform/auth/storedSecrets.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { defaultRetentionIn, findSettings } from "#platform/settings.ts";
import { findPackageNames, findPricedCurrencies, findRecords, replaceSettings } from "./queries.ts";
import { isLoosening, newlyMissing } from "./rules.ts";
import { packagesIn, safeguardApproval } from "./safeguardApproval.ts";

/** Refuses the refund rule while a currency in use has no limit. */
const assertLimits = async (db: Db, before: SettingsDetails, after: SettingsDetails) => {
  const priced = await findPricedCurrencies(db);
  const used = ({ currencies }: SettingsDetails) => [...new Set([...currencies, ...priced])];
  const missing = newlyMissing(before, after, {
    usedBefore: used(before),
    usedAfter: used(after),
  });
  if (missing.length > 0)
    throw invalidAt(
      "/refundLimits",
      message("refund_limits_missing", "Add a refund limit for {currencies}.", {
        currencies: missing.sort(),
      }),
    );
};

export const settingsRoutes = (app: FastifyInstance) => {
  const { COMPANY_NAME, COMPANY_TIME_ZONE, OIDC_ISSUER, SECRET_KEYS } = app.platform.config;
  const defaults = { retention: defaultRetentionIn(app.platform.config) };

  /** The settings in effect, with the values of the environment where none was saved. */
  const readSettings = async (db: Db, lock: "" | "for update" = "") => {
    const stored = await findSettings(db, lock);
    return {
      ...stored,
      companyName: stored.companyName ?? COMPANY_NAME,
      timeZone: stored.timeZone ?? COMPANY_TIME_ZONE,
      retention: { ...defaults.retention, ...stored.retention },
    };
  };

  serve(app, getSettings, ({ db }) => readSettings(db));

  serve(app, getEncryption, async ({ db }) => ({
    keys: SECRET_KEYS.length,
    ...(await countOutdated(db, SECRET_KEYS)),
  }));

  serve(app, changeSettings, async ({ db, body, assertVersion, requireApproval }) => {
    const { reason: _, ...details } = body;
    const stored = assertVersion(await readSettings(db, "for update"), settingsReply);
    const { version: __, updatedAt: ___, ...before } = stored;
    if (!details.passwordsAllowed && !OIDC_ISSUER)
      throw invalidAt(
        "/passwordsAllowed",
        message(
          "password_sign_in_only",
          "Set up single sign-on (OIDC_ISSUER) before you turn off password sign-in.",
        ),
      );
    await assertLimits(db, before, details);
    const change = { before, after: details };
    if (isLoosening(change)) {
      const names = await findPackageNames(db, packagesIn(change));
      await requireApproval("safeguard", safeguardApproval(change, names));
    }
    await replaceSettings(db, details, defaults);
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
