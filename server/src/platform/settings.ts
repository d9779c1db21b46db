import { defaultRetention, type Retention } from "@purser/contract/workspace/retention";
import { noSeller, type Seller, type Settings as Shown } from "@purser/contract/workspace/settings";
import type { Config } from "../config.ts";
import { type Db, first } from "./db/db.ts";
import { statement } from "./db/statement.ts";
import type { Announcements } from "./events/announce.ts";

/**
 * The settings of the workspace. A null name or time zone means the value of the environment, and so does a missing
 * retention.
 */
export type Settings = Omit<Shown, "companyName" | "timeZone" | "retention"> & {
  companyName: string | null;
  timeZone: string | null;
  retention: Partial<Retention>;
};

/** The id of the only row. */
export const settingsId = "00000000-0000-7000-8000-000000000001";

const columns = `
  company_name as "companyName", time_zone as "timeZone", currencies,
  second_factor_roles as "twoFactorRoles", second_factor_grace_days as "twoFactorGraceDays",
  passwords_allowed as "passwordsAllowed", sign_in_groups as "signInGroups", grace_days as "graceDays",
  refund_limits as "refundLimits", refund_daily_limits as "refundDailyLimits",
  refund_customer_limits as "refundCustomerLimits", grant_limits as "grantLimits",
  approval_rules as "approvalRules", approval_days as "approvalDays", waiting_hours as "waitingHours",
  tax_included as "taxIncluded", seller, invoice_prefix as "invoicePrefix", credit_note_prefix as "creditNotePrefix",
  send_documents as "sendDocuments", document_retention_years as "documentRetentionYears",
  account_codes as "accountCodes", retention, version, updated_at as "updatedAt"`;

const settings = statement("platform.settings", `select ${columns} from settings`).narrow<
  Pick<
    Settings,
    | ("twoFactorRoles" | "signInGroups" | "approvalRules" | "accountCodes" | "grantLimits")
    | ("refundLimits" | "refundDailyLimits" | "refundCustomerLimits")
  > & { seller: Partial<Seller>; retention: Partial<Retention> }
>();
const lockedSettings = settings.with("for update");

/** Not cached, so that a change applies from the next request on. */
export const findSettings = async (db: Db, lock: "" | "for update" = ""): Promise<Settings> => {
  const row = await first(db, lock ? lockedSettings : settings);
  if (!row) throw new Error("The settings row is missing.");
  return { ...row, seller: { ...noSeller, ...row.seller } };
};

type KeptDays = Pick<Config, "WEBHOOK_DELIVERY_DAYS" | "WEBHOOK_EVENT_DAYS">;

/** How long rows are kept if the settings don't say it. */
export const defaultRetentionIn = (config: KeptDays): Retention => ({
  ...defaultRetention,
  webhookDeliveryDays: config.WEBHOOK_DELIVERY_DAYS,
  webhookEventDays: config.WEBHOOK_EVENT_DAYS,
});

/** For rows whose retention has no variable. */
export const findRetention = async (db: Db, defaults = defaultRetention): Promise<Retention> => ({
  ...defaults,
  ...(await findSettings(db)).retention,
});

export type FindZone = (db: Db) => Promise<string>;

/** The time zone of dates that users enter. */
export const zoneOf =
  (config: Pick<Config, "COMPANY_TIME_ZONE">): FindZone =>
  async (db) =>
    (await findSettings(db)).timeZone ?? config.COMPANY_TIME_ZONE;

type Company = { name: string; timeZone: string };

const rereadMs = 30_000;

/**
 * The company's name for pages and the time zone for lists. Kept in memory, so that they are known when the database
 * is down, and read again after a change.
 */
export const openCompany = async (
  db: Db,
  config: Pick<Config, "COMPANY_NAME" | "COMPANY_TIME_ZONE">,
  { listen }: Announcements,
) => {
  let known: Company = { name: config.COMPANY_NAME, timeZone: config.COMPANY_TIME_ZONE };
  const read = async () => {
    const stored = await findSettings(db).catch(() => null);
    if (stored)
      known = {
        name: stored.companyName ?? config.COMPANY_NAME,
        timeZone: stored.timeZone ?? config.COMPANY_TIME_ZONE,
      };
  };
  const ignore = listen((changes) => {
    if (changes.some(({ entity }) => entity === "settings")) void read();
  });
  // An announcement may be lost.
  const timer = setInterval(() => void read(), rereadMs).unref();
  await read();
  return {
    current: () => known,
    close: () => {
      ignore();
      clearInterval(timer);
    },
  };
};
export type OpenCompany = Awaited<ReturnType<typeof openCompany>>;
