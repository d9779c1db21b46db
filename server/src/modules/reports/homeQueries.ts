import type { SetupStep } from "@purser/contract/reports/home";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const accountSql = statement(
  "reports.isAccountSecured",
  `select exists (select from passkeys where user_id = $1)
     or exists (select from authenticators where id = $1 and confirmed_at is not null) as account`,
).narrow<{ account: boolean }>();

const setupSql = statement(
  "reports.findSetup",
  `select (select coalesce(seller ->> 'name', '') <> '' from settings) as company,
     exists (select from apps) as app, exists (select from features) as feature,
     exists (select from package_versions where published_at is not null) as package,
     exists (select from transactions where settled_at is not null) as payment,
     exists (select from app_keys where last_used_at is not null) as key,
     (select count(*) > 1 from (select from users where role is not null and not is_service limit 2) few) as team`,
).narrow<Record<Exclude<SetupStep, "account">, boolean>>();

/** Which steps of the setup are done, from real data. Accounts may be in another database. */
export const findSetup = async (
  db: Db,
  { userId, accounts }: { userId: string; accounts: Db },
): Promise<Partial<Record<SetupStep, boolean>>> => ({
  ...(await first(db, setupSql)),
  ...(await first(accounts, accountSql, [userId])),
});
