import { randomUUID } from "node:crypto";
import type { Query } from "../testing/invariants.testing.ts";

const dayMs = 86_400_000;

type Sold = { packageId: string; versionId: string; priceId: string; amount: number };

type OldSale = Sold & {
  userId: string;
  kind?: "purchase" | "renewal" | "change";
  state?: string;
  at: Date;
  /** When it was recorded as paid, if that was later. */
  settledAt?: Date;
  days?: number;
  tax?: number;
  discount?: number;
  trialDays?: number;
  provider: string;
  /** The subscription whose unused value was subtracted from the price. */
  credit?: { subscriptionId: string; amount: number };
};

const eventsOf = (state: string) =>
  state === "draft"
    ? ["created"]
    : ["created", "submitted", ...(paidStates.includes(state) ? ["succeeded"] : [])];

const paidStates = ["succeeded", "disputed", "charged back"];

const catalogOf = (query: Query) => {
  const newCustomer = async () => {
    const [row] = await query<{ id: string }>(
      "insert into users (email, name, status) values ($1, 'Old customer', 'active') returning id",
      [`${randomUUID()}@example.com`],
    );
    return row?.id ?? "";
  };

  const offerOf = async (packageId: string, interval = "month"): Promise<Sold> => {
    const [row] = await query<Sold>(
      `select v.package_id as "packageId", v.id as "versionId", p.id as "priceId", p.amount::float8 as amount
       from package_versions v join version_prices p on p.version_id = v.id
       where v.package_id = $1 and v.state = 'on sale' and p.interval = $2 and p.currency = 'EUR'`,
      [packageId, interval],
    );
    if (!row) throw new Error("The package has no such price.");
    return row;
  };

  return { newCustomer, offerOf };
};

const subscriptionsOf = (query: Query) => {
  const endOld = async (subscriptionId: string, at: Date) => {
    await query("update subscriptions set status = 'ended', ended_at = $2 where id = $1", [
      subscriptionId,
      at,
    ]);
    await query("update grants set ends_at = $2 where subscription_id = $1 and ends_at > $2", [
      subscriptionId,
      at,
    ]);
  };

  const subscribeOld = async (
    { userId, packageId, versionId, priceId, at }: OldSale,
    { anchor, end }: { anchor: Date; end: Date },
  ) => {
    const [row] = await query<{ id: string }>(
      `insert into subscriptions (user_id, package_id, version_id, price_id, status, anchor, period_number,
         period_start, period_end, access_until, created_at)
       values ($1, $2, $3, $4, 'active', $5, 0, $6, $7, $7, $6) returning id`,
      [userId, packageId, versionId, priceId, anchor, at, end],
    );
    return row?.id ?? null;
  };

  return { endOld, subscribeOld };
};

const salesOf = (query: Query) => {
  const { endOld, subscribeOld } = subscriptionsOf(query);

  const insertOld = async (sale: OldSale, period: { subscriptionId: string | null; end: Date }) => {
    const { kind = "purchase", state = "succeeded", at, amount, credit, tax = 0 } = sale;
    const off = (sale.discount ?? 0) + (credit?.amount ?? 0);
    const isPaid = paidStates.includes(state);
    const snapshot = {
      package: "Old package",
      version: 1,
      interval: "month",
      intervalCount: 1,
      price: amount,
      trialDays: sale.trialDays ?? 0,
      credit: credit ? { ...credit, package: "Replaced package" } : null,
      promotions: [],
      features: [],
    };
    const [row] = await query<{ id: string }>(
      `insert into transactions (kind, state, user_id, package_id, version_id, price_id, subscription_id, currency,
         subtotal, discount, tax, total, provider, reference, period_start, period_end, occurred_at, settled_at,
         snapshot, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, 'EUR', $8::bigint, $9::bigint, $10::bigint, $8 - $9 + $10, $11, $12,
         case when $13::boolean then $14::timestamptz end, case when $13 then $15::timestamptz end, $14,
         case when $13 then $17::timestamptz end, $16, $14)
       returning id`,
      [
        kind,
        state,
        sale.userId,
        sale.packageId,
        sale.versionId,
        sale.priceId,
        period.subscriptionId,
        amount,
        off,
        tax,
        sale.provider,
        randomUUID(),
        isPaid,
        at,
        period.end,
        snapshot,
        sale.settledAt ?? at,
      ],
    );
    return row?.id ?? "";
  };

  const sellOld = async (given: Omit<OldSale, "provider"> & Partial<OldSale>) => {
    const sale = { provider: "manual", ...given };
    const { userId, packageId, versionId, at, state = "succeeded", credit } = sale;
    const isPaid = paidStates.includes(state);
    const anchor = new Date(+at + (sale.trialDays ?? 0) * dayMs);
    const end = new Date(+anchor + (sale.days ?? 30) * dayMs);
    if (isPaid && credit) await endOld(credit.subscriptionId, at);
    const subscriptionId = isPaid ? await subscribeOld(sale, { anchor, end }) : null;
    const id = await insertOld(sale, { subscriptionId, end });
    for (const type of eventsOf(state))
      await query(
        "insert into transaction_events (transaction_id, type, at, source) values ($1, $2, $3, 'system')",
        [id, type, at],
      );
    if (isPaid)
      await query(
        `insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at)
         values ($1, $2, $3, $4, 'transaction', $5, $6, $7)`,
        [userId, packageId, versionId, subscriptionId, id, at, end],
      );
    return { id, subscriptionId: subscriptionId ?? "", end };
  };

  return { sellOld };
};

const refundsOf = (query: Query) => {
  const refundOld = async (
    parentId: string,
    {
      total,
      tax = 0,
      at,
      kind = "refund",
    }: { total: number; tax?: number; at: Date; kind?: "refund" | "chargeback" },
  ) => {
    await query("update transactions set refunded = refunded + $2 where id = $1", [
      parentId,
      total,
    ]);
    const [row] = await query<{ id: string }>(
      `insert into transactions (kind, state, user_id, parent_id, currency, subtotal, tax, total, provider, occurred_at,
         settled_at, access, reason, created_at)
       select $2, 'succeeded', user_id, id, currency, $3, $4, $5, provider, $6, $6,
         case $2 when 'refund' then 'keep' end, 'Asked for it', $6
       from transactions where id = $1 returning id`,
      [parentId, kind, total - tax, tax, total, at],
    );
    return row?.id ?? "";
  };

  return { refundOld };
};

/** Inserts rows as version 0.5.0 did: without lines, credits, balances and journal entries. */
export const oldRowsIn = (query: Query) => ({
  ...catalogOf(query),
  ...salesOf(query),
  ...refundsOf(query),
});
