import type { PromotionDetails } from "@purser/contract/promotions/endpoints";
import { type Db, run } from "#platform/db/db.ts";
import { normalizeCode } from "./codes.ts";

// Amounts, customers, packages and the code are stored in other tables.
const columnsOf = ({
  amounts: _amounts,
  customers: _customers,
  packageIds: _packageIds,
  code: _code,
  value,
  intervals,
  redemptionLimit,
  redemptionLimitPerCustomer,
  requiresCode,
  restoresRedemption,
  ...own
}: PromotionDetails) => ({
  ...own,
  maxUses: redemptionLimit,
  maxUsesPerUser: redemptionLimitPerCustomer,
  needsCode: requiresCode,
  returnsUse: restoresRedemption,
  value: value === null ? null : JSON.stringify(value),
  intervals: [...intervals].sort(),
});

export const insertPromotion = async (db: Db, details: PromotionDetails) => {
  const { id } = await db
    .insertInto("promotions")
    .values(columnsOf(details))
    .returning("id")
    .executeTakeFirstOrThrow();
  await replaceParts(db, id, details);
  return id;
};

/** Updates the row even if only a part differs, so that its version changes and stale saves are refused. */
export const replacePromotion = async (
  db: Db,
  id: string,
  details: PromotionDetails,
  now: Date,
) => {
  await db
    .updateTable("promotions")
    .set({ ...columnsOf(details), updatedAt: now })
    .where("id", "=", id)
    .execute();
  await replaceParts(db, id, details);
};

// Changes only what differs. A trigger refuses changes of amounts once the promotion was redeemed.
const replaceAmounts = (db: Db, id: string, amounts: PromotionDetails["amounts"]) =>
  run(
    db,
    `with given as (
       select * from jsonb_to_recordset($2::jsonb) as g (currency text, off bigint, minimum bigint, cap bigint, budget bigint)
     ), gone as (
       delete from promotion_amounts a where a.promotion_id = $1
         and not exists (select from given where given.currency = a.currency)
     )
     insert into promotion_amounts (promotion_id, currency, off, minimum, cap, budget)
     select $1, currency, off, minimum, cap, budget from given
     where not exists (
       select from promotion_amounts a where a.promotion_id = $1
         and (a.currency, a.off, a.minimum, a.cap, a.budget)
           is not distinct from (given.currency, given.off, given.minimum, given.cap, given.budget))
     on conflict (promotion_id, currency) do update set off = excluded.off, minimum = excluded.minimum,
       cap = excluded.cap, budget = excluded.budget`,
    [id, JSON.stringify(amounts)],
  );

const replacePackages = async (db: Db, id: string, packageIds: string[]) => {
  await run(
    db,
    "delete from promotion_packages where promotion_id = $1 and package_id <> all ($2::uuid[])",
    [id, packageIds],
  );
  await run(
    db,
    `insert into promotion_packages (promotion_id, package_id)
     select $1, given from unnest($2::uuid[]) given
     where not exists (select from promotion_packages where promotion_id = $1 and package_id = given)`,
    [id, packageIds],
  );
};

const replaceCustomers = async (db: Db, id: string, emails: string[]) => {
  await run(
    db,
    `delete from promotion_people l using users u
     where l.promotion_id = $1 and u.id = l.user_id and u.email <> all ($2::text[])`,
    [id, emails],
  );
  await run(
    db,
    `insert into promotion_people (promotion_id, user_id)
     select $1, u.id from users u where u.email = any ($2::text[]) on conflict do nothing`,
    [id, emails],
  );
};

/** Replaces the shared code. Codes that were generated in bulk have a limit and are kept. */
const replaceCode = async (db: Db, id: string, typed: string | null) => {
  const code = typed === null ? null : normalizeCode(typed);
  await run(
    db,
    `delete from promotion_codes where promotion_id = $1 and max_uses is null and uses = 0
       and code is distinct from $2`,
    [id, code],
  );
  if (code !== null)
    await run(
      db,
      `insert into promotion_codes (promotion_id, code, shown) select $1, $2, $3
       where not exists (select from promotion_codes where promotion_id = $1 and code = $2)`,
      [id, code, typed?.toUpperCase()],
    );
};

const replaceParts = async (db: Db, id: string, details: PromotionDetails) => {
  await replaceAmounts(db, id, details.amounts);
  await replacePackages(db, id, details.packageIds);
  await replaceCustomers(db, id, details.customers);
  await replaceCode(db, id, details.requiresCode ? details.code : null);
};
