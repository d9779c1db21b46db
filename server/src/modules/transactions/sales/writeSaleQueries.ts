import type { BalanceKind } from "@purser/contract/money/balance";
import { type GrantRow, grantRecord, insertGrantsFrom } from "#modules/billing/grantQueries.ts";
import {
  insertSubscriptionsFrom,
  type NewSubscription,
  subscriptionRecord,
} from "#modules/billing/subscriptionQueries.ts";
import { requestDocumentsOf } from "#modules/documents/queries.ts";
import type { JournalEntry } from "#modules/ledger/journal.ts";
import {
  insertBalanceEntriesFrom,
  insertEntriesFrom,
  insertPostingsFrom,
} from "#modules/ledger/queries.ts";
import { refusedRedemption } from "#modules/promotions/redeem.ts";
import { redeemFrom } from "#modules/promotions/redemptionQueries.ts";
import { type Db, first } from "#platform/db/db.ts";
import { template } from "#platform/db/statement.ts";
import type { Period } from "#platform/periods.ts";
import { eventRecord, insertEventsFrom, type NewEvent } from "../events/eventQueries.ts";
import {
  insertLinesFrom,
  type LineCredit,
  lineRecord,
  type NewLine,
} from "../lines/lineQueries.ts";
import { type NewTransaction, readShown, shownFrom, type TransactionRow } from "../queries.ts";

/** What a line of a sale gives access to. */
export type Access = {
  /** The subscription that the line adds time to or changes. */
  continuedId: string | null;
  /** The subscription that the line starts. */
  starts: Omit<NewSubscription, "userId"> | null;
  grants: GrantRow[];
  /** The time that the line pays for, or null if it has no end or isn't paid yet. */
  paid: Period | null;
};

export type NewSale = {
  transaction: Omit<NewTransaction, "subscriptionId" | "parentId" | "access">;
  lines: readonly NewLine[];
  /** One for each line. */
  access: readonly Access[];
  events: readonly NewEvent[];
  credits: { state: "held" | "applied"; rows: readonly LineCredit[] };
  balance: readonly { amount: number; kind: BalanceKind }[];
  entries: readonly JournalEntry[];
  /** In the order in which they are locked. */
  redemptions: readonly { promotionId: string; codeId: string | null; amount: number }[];
  /** Whether documents are issued for it. */
  isPaid: boolean;
  now: Date;
};

/** Parts that many sales don't have. They are left out, because the triggers of an empty insert take time, too. */
const parts = [
  ...(["starts", "grants", "credits", "balance", "entries", "documents", "redemptions"] as const),
] as const;
type Part = (typeof parts)[number];

const given = (part: string, columns: string) =>
  `jsonb_to_recordset($1::jsonb -> '${part}') as given (${columns})`;

// IDs come first, so that every row is inserted with its links and none is updated afterwards.
const ids = `
  sale as materialized (
    select uuid_v7() as id, given.* from jsonb_to_record($1::jsonb -> 'transaction') as given (
      kind text, state text, "userId" uuid, "packageId" uuid, "versionId" uuid, "priceId" uuid, currency text,
      subtotal bigint, discount bigint, tax bigint, total bigint, "balanceAmount" bigint, "taxIncluded" boolean,
      "changesId" uuid, "changesVersion" integer, provider text, reference text, "settledBy" text,
      "periodStart" timestamptz, "periodEnd" timestamptz, "occurredAt" timestamptz, "settledAt" timestamptz,
      reason text, note text, tags text[], snapshot jsonb, "createdBy" uuid, now timestamptz)
  ), line as materialized (
    select uuid_v7() as id, case when given."startsOne" then uuid_v7() else given."continuedId" end as subscription_id,
      given.* from ${given("lines", `${lineRecord}, "startsOne" boolean, "continuedId" uuid`)}
  )`;

const recorded = `
  insert into transactions (id, kind, state, user_id, package_id, version_id, price_id, subscription_id, currency,
    subtotal, discount, tax, total, balance_amount, tax_included, changes_id, changes_version, provider, reference,
    settled_by, period_start, period_end, occurred_at, settled_at, reason, note, tags, snapshot, created_by, is_split)
  select s.id, s.kind, s.state, s."userId", s."packageId", s."versionId", s."priceId",
    (select subscription_id from line where position = 0), s.currency, s.subtotal, s.discount, s.tax, s.total,
    s."balanceAmount", s."taxIncluded", s."changesId", s."changesVersion", s.provider, s.reference, s."settledBy",
    s."periodStart", s."periodEnd", s."occurredAt", s."settledAt", s.reason, s.note, s.tags, s.snapshot,
    s."createdBy", true
  from sale s returning *`;

const lines = `${insertLinesFrom(`
  select line.*, line.subscription_id as "subscriptionId", s.id as "transactionId" from line cross join sale s`)}
  returning id`;

const events = `${insertEventsFrom(`
  select s.id as "transactionId", given.* from sale s cross join ${given("events", eventRecord)}`)}
  returning id`;

const credits = `
  insert into line_credits (line_id, transaction_id, reason, unused, net, tax, gross, state)
  select given."lineId", s.id, 'change', case when given."from" is not null then tstzrange(given."from", given.until) end,
    given.net, given.tax, given.gross, given.state
  from sale s cross join ${given("credits", `"lineId" uuid, "from" timestamptz, until timestamptz, net bigint, tax bigint, gross bigint, state text`)}
  returning id`;

const written: Record<Exclude<Part, "redemptions">, string> = {
  starts: `started as (${insertSubscriptionsFrom(`
    select l.subscription_id as id, s."userId", given.* from sale s
    cross join ${given("starts", `place smallint, ${subscriptionRecord}`)} join line l on l.position = given.place`)}
    returning id)`,
  grants: `granted as (${insertGrantsFrom(`
    select s."userId", l.id as "lineId", l.subscription_id as "subscriptionId", given."packageId", given."versionId",
      given.quantity, given."featureId", given.value, given.source, coalesce(given."sourceId", s.id::text) as "sourceId",
      given."startsAt", given."endsAt", given."isAfterOthers", given."isOfSubscription"
    from sale s cross join ${given("grants", `place smallint, ${grantRecord}`)}
    join line l on l.position = given.place`)} returning id)`,
  credits: `credited as (${credits})`,
  balance: `paid as (${insertBalanceEntriesFrom(`
    select s."userId", s.currency, given.amount, given.kind, s.id
    from sale s cross join ${given("balance", "amount bigint, kind text")}`)} returning id)`,
  entries: `entered as (${insertEntriesFrom(`
    select given.kind, s.id, s.now, s.currency, s."userId", s.id
    from sale s cross join ${given("entries", "kind text")}`)}),
  posted as (${insertPostingsFrom(`
    select e.id, given.position, given.account, given.amount from entered e
    join ${given("postings", "kind text, position smallint, account text, amount bigint")} on given.kind = e.kind`)}
    returning entry_id)`,
  documents: `documented as (${requestDocumentsOf("(select id from sale)")} returning transaction_id)`,
};

const names: Record<Exclude<Part, "redemptions">, string[]> = {
  starts: ["started"],
  grants: ["granted"],
  credits: ["credited"],
  balance: ["paid"],
  entries: ["entered", "posted"],
  documents: ["documented"],
};

const isWritten = (part: Part): part is keyof typeof written => part !== "redemptions";

/**
 * After everything else, because other sales with the same promotion wait from then on. The condition is always true.
 * It makes the database write the other rows first.
 */
const redeemed = (before: readonly string[]) =>
  `redeemed as materialized (${redeemFrom(`
  select given."promotionId", given."codeId", t.user_id as "userId", t.id as "transactionId",
    t.subscription_id as "subscriptionId", t.currency, given.amount, s.now as at
  from recorded t cross join sale s
  cross join ${given("redemptions", `"promotionId" uuid, "codeId" uuid, amount bigint`)}
  where ${before.map((name) => `(select count(*) from ${name})`).join(" + ")} >= 0`)})`;

const shown = shownFrom("recorded");

const buildText = (present: readonly Part[]) => {
  const inserted = present.filter(isWritten);
  const before = ["lined", "happened", ...inserted.flatMap((part) => names[part])];
  const isRedeeming = present.includes("redemptions");
  const steps = [
    ids,
    `recorded as (${recorded})`,
    `lined as (${lines})`,
    `happened as (${events})`,
    ...inserted.map((part) => written[part]),
    ...(isRedeeming ? [redeemed(before)] : []),
  ];
  const refused = isRedeeming
    ? `(select jsonb_build_object('promotionId', "promotionId", 'refusal', refusal)
        from redeemed where refusal is not null limit 1)`
    : "null::jsonb";
  return `with ${steps.join(",\n")} select ${shown.columns}, ${refused} as refused,
    (select jsonb_agg(subscription_id order by position) from line) as "subscriptionIds" from ${shown.from}`;
};

const writeSaleSql = template("transactions.writeSale", buildText, [parts], [[]])
  .present<
    | (
        | "id"
        | "number"
        | "kind"
        | "state"
        | "currency"
        | "taxIncluded"
        | "provider"
        | "note"
        | "tags"
      )
    | ("occurredAt" | "version" | "createdAt" | "updatedAt")
  >()
  .narrow<
    TransactionRow & {
      refused: { promotionId: string; refusal: string } | null;
      subscriptionIds: (string | null)[];
    }
  >();

const valuesOf = ({ transaction, lines: sold, access, credits: taken, ...rest }: NewSale) => ({
  transaction: { ...transaction, now: rest.now },
  lines: sold.map((line, position) => {
    const { starts = null, continuedId = null, paid = null } = access[position] ?? {};
    const period = { periodStart: paid?.start, periodEnd: paid?.end };
    return { ...line, ...period, position, continuedId, startsOne: starts !== null };
  }),
  events: rest.events,
  starts: access.flatMap(({ starts }, place) => (starts ? [{ ...starts, place }] : [])),
  grants: access.flatMap(({ grants }, place) => grants.map((grant) => ({ ...grant, place }))),
  credits: taken.rows.map(({ lineId, unused, net, tax, gross }) => ({
    lineId,
    from: unused?.start,
    until: unused?.end,
    net,
    tax,
    gross,
    state: taken.state,
  })),
  balance: rest.balance.filter(({ amount }) => amount !== 0),
  entries: rest.entries.filter(({ postings }) => postings.length > 0),
  postings: rest.entries.flatMap(({ kind, postings }) =>
    postings.map((posting, position) => ({ kind, position, ...posting })),
  ),
  documents: rest.isPaid ? [true] : [],
  redemptions: rest.redemptions,
});

/** Writes everything of a sale in one statement, and each row once. Returns it with the subscription of each line. */
export const writeSale = async (db: Db, sale: NewSale) => {
  const values = valuesOf(sale);
  const present = parts.filter((part) => values[part].length > 0);
  const row = await first(db, writeSaleSql.for(present), [JSON.stringify(values)]);
  if (!row) throw new Error("The sale was not stored.");
  const { refused, subscriptionIds, ...stored } = row;
  if (refused) throw await refusedRedemption(db, refused.promotionId, refused.refusal);
  return { transaction: readShown(stored), subscriptionIds };
};
