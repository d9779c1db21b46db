import type { Retention } from "@purser/contract/workspace/retention";
import type { SettingsDetails } from "@purser/contract/workspace/settings";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { settingsId } from "#platform/settings.ts";

/** Without what is empty, so that only changed parts are in the history. */
const sellerOf = (seller: SettingsDetails["seller"]) =>
  Object.fromEntries(
    Object.entries(seller).filter(([, value]) => value !== null && !isEmptyList(value)),
  );

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** What differs from the defaults, so that a changed variable still applies to the rest. */
const retentionOf = (retention: Retention, defaults: Retention) =>
  Object.fromEntries(
    Object.entries(retention).filter(([name, kept]) => kept !== defaults[name as keyof Retention]),
  );

export const replaceSettings = async (
  db: Db,
  details: SettingsDetails,
  defaults: { retention: Retention },
) => {
  await run(
    db,
    `update settings set company_name = $1, time_zone = $2, currencies = $3, second_factor_roles = $4,
       second_factor_grace_days = $5, passwords_allowed = $6, sign_in_groups = $7::jsonb, grace_days = $8,
       refund_limits = $9::jsonb, approval_rules = $10, approval_days = $11,
       tax_included = $12, seller = $13::jsonb, invoice_prefix = $14, credit_note_prefix = $15, send_documents = $16,
       document_retention_years = $17, account_codes = $18::jsonb, refund_daily_limits = $19::jsonb,
       refund_customer_limits = $20::jsonb, grant_limits = $21::jsonb, waiting_hours = $22,
       retention = $23::jsonb`,
    [
      details.companyName,
      details.timeZone,
      details.currencies,
      details.twoFactorRoles,
      details.twoFactorGraceDays,
      details.passwordsAllowed,
      JSON.stringify(details.signInGroups),
      details.graceDays,
      JSON.stringify(details.refundLimits),
      details.approvalRules,
      details.approvalDays,
      details.taxIncluded,
      JSON.stringify(sellerOf(details.seller)),
      details.invoicePrefix,
      details.creditNotePrefix,
      details.sendDocuments,
      details.documentRetentionYears,
      JSON.stringify(details.accountCodes),
      JSON.stringify(details.refundDailyLimits),
      JSON.stringify(details.refundCustomerLimits),
      JSON.stringify(details.grantLimits),
      details.waitingHours,
      JSON.stringify(retentionOf(details.retention, defaults.retention)),
    ],
  );
};

const taxRateIds = statement("settings.taxRateIds", "select id from tax_rates");

const pricedCurrencies = statement(
  "settings.pricedCurrencies",
  `select distinct p.currency from version_prices p join package_versions v on v.id = p.version_id
   where v.state in ('on sale', 'scheduled') order by p.currency`,
);

/** Currencies that customers pay in now or soon. */
export const findPricedCurrencies = async (db: Db) =>
  (await run(db, pricedCurrencies)).map(({ currency }) => currency);

const packageNames = statement(
  "settings.packageNames",
  "select id, name from packages where id = any ($1)",
);

export const findPackageNames = async (db: Db, ids: readonly string[]) =>
  new Map((await run(db, packageNames, [ids])).map(({ id, name }) => [id, name]));

/** The records whose changes are in the activity of the settings. */
export const findRecords = async (db: Db) => [
  { entity: "settings", id: settingsId },
  ...(await run(db, taxRateIds)).map(({ id }) => ({ entity: "tax_rates", id })),
];
