import { type Value, wordsOf } from "@purser/contract/fields/values";
import type { Price } from "@purser/contract/packages/prices";
import type { Quote } from "@purser/contract/promotions/pricing";
import type { Snapshot } from "@purser/contract/transactions/endpoints";
import type { SaleEffect } from "@purser/contract/transactions/sales";
import {
  addDays,
  type Period,
  periodAt,
  type Rhythm,
  resumedAt,
} from "#modules/billing/periods.ts";
import type { Subscription } from "#modules/billing/subscriptionQueries.ts";
import { unitOf } from "#modules/features/queries.ts";
import type { Discount } from "#modules/promotions/pricing/conditions.ts";
import { isDiscount } from "#modules/promotions/pricing/conditions.ts";
import { reasonInLabels } from "#modules/promotions/pricing/labels.ts";
import { priceOfNextPeriods, priceOrder, taxed } from "#modules/promotions/pricing/pricing.ts";
import { type Considered, findBuyer, findConsidered } from "#modules/promotions/pricing/queries.ts";
import type { Db } from "#platform/db/db.ts";
import { first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { invalidAt, Problem } from "#platform/http/problem.ts";

/** A package on sale at one of its prices. */
export type Offer = Price & {
  packageId: string;
  packageName: string;
  group: string | null;
  versionId: string;
  version: number;
  priceId: string;
  trialDays: number;
  apps: number;
  features: number;
};

type Asked = Pick<Price, "currency" | "interval" | "intervalCount"> & { packageId: string };

// Of a package, one of its versions and a price.
const offered = `
  p.id as "packageId", p.name as "packageName", p.group_code as "group", v.id as "versionId", v.number as version,
  v.trial_days as "trialDays", price.id as "priceId", price.currency, price.amount::float8 as amount, price.interval,
  price.interval_count as "intervalCount",
  (select count(*)::int from version_apps a where a.version_id = v.id) as apps,
  (select count(*)::int from version_values f where f.version_id = v.id) as features`;

const findOfferSql = statement(
  "transactions.findOffer",
  `select ${offered}, p.status
   from packages p
   left join package_versions v on v.package_id = p.id and v.state = 'on sale'
   left join version_prices price on price.version_id = v.id and price.currency = $2
     and price.interval = $3 and price.interval_count = $4
   where p.id = $1 for share of p`,
).narrow<{ apps: number; features: number }>();

type FoundOffer = RowOf<typeof findOfferSql>;

/** Whether a package has a version on sale, and that version the price. */
const isOnSale = (found: FoundOffer): found is FoundOffer & Offer =>
  found.versionId !== null && found.priceId !== null;

/** Whoever publishes or archives the package meanwhile waits. */
const findOffer = (db: Db, { packageId, currency, interval, intervalCount }: Asked) =>
  first(db, findOfferSql, [packageId, currency, interval, intervalCount]);

const sold = `
  select ${offered}
  from package_versions v join packages p on p.id = v.package_id cross join version_prices price`;

const findSoldAtSql = statement(
  "transactions.findSoldAt",
  `${sold} where v.id = $1 and price.id = $2`,
).narrow<Offer>();

/** A version at a price, on sale or not. */
export const findSoldAt = (db: Db, versionId: string, priceId: string) =>
  first(db, findSoldAtSql, [versionId, priceId]);

const findSoldSql = statement(
  "transactions.findSold",
  `${sold} join transactions t on t.version_id = v.id and t.price_id = price.id where t.id = $1`,
).narrow<Offer>();

/** What a transaction is about, as it was sold. */
export const findSold = (db: Db, id: string) => first(db, findSoldSql, [id]);

/** What somebody asks for, or the refusal that says what is not sold. */
export const readOffer = async (db: Db, asked: Asked): Promise<Offer> => {
  const offer = await findOffer(db, asked);
  if (!offer) throw invalidAt("/packageId", "unknown", "must be the id of a package");
  const { packageName, status, versionId } = offer;
  if (status !== "active" || versionId === null)
    throw new Problem(
      "wrong_state",
      `${packageName} is not on sale. Publish a version of it first.`,
    );
  if (!isOnSale(offer))
    throw invalidAt(
      "/currency",
      "not offered",
      `and the interval must be ones that ${packageName} is offered in`,
    );
  return offer;
};

export const unknownCode = (codes: readonly string[], unknown: string) =>
  invalidAt(
    `/codes/${codes.indexOf(unknown)}`,
    "unknown",
    `must be a code of a promotion; ${unknown} is none`,
  );

const rhythmOf = (offer: Price, anchor: Date, zone: string): Rhythm | null =>
  offer.interval === "once"
    ? null
    : { anchor, interval: offer.interval, intervalCount: offer.intervalCount, zone };

type Sale = {
  offer: Offer;
  userId: string | null;
  codes: readonly string[];
  tax: number;
  at: Date;
  zone: string;
};

export type Priced = {
  quote: Quote;
  /** The promotions that apply, with what each takes off. */
  uses: (Considered & { amount: number })[];
};

const featureNamesSql = statement(
  "transactions.featureNames",
  "select id, name from features where id = any ($1::uuid[])",
);

const featureNames = async (db: Db, ids: readonly string[]) =>
  new Map((await run(db, featureNamesSql, [ids])).map(({ id, name }) => [id, name]));

/** What somebody pays for an offer at a time, with everything that made it. */
export const priceSale = async (
  db: Db,
  { offer, userId, codes, tax: taxAmount, at, zone }: Sale,
  instead: (considered: Considered[]) => Considered[] = (considered) => considered,
): Promise<Priced> => {
  const considered = instead(await findConsidered(db, { userId, codes, at }));
  const line = { ...offer, trialDays: 0 };
  const priced = priceOrder({
    lines: [line],
    promotions: considered.map(({ promotion }) => promotion),
    buyer: await findBuyer(db, userId),
    at,
  });
  const byId = new Map(considered.map((one) => [one.promotion.id, one]));
  const applied = priced.trace.filter((entry) => entry.applied);
  const uses = applied.flatMap(({ promotionId, amount }) => {
    const one = byId.get(promotionId);
    return one ? [{ ...one, amount }] : [];
  });
  const redeemed = uses
    .map(({ promotion }) => promotion)
    .filter((promotion): promotion is Discount => isDiscount(promotion));
  const rhythm = rhythmOf(offer, at, zone);
  const later = rhythm
    ? priceOfNextPeriods({ lines: [line], redeemed })
        .filter(({ period }) => period > 1)
        .map(({ period, net }) => ({ from: periodAt(rhythm, period - 1).start, total: net }))
    : [];
  const names = await featureNames(
    db,
    priced.features.map(({ featureId }) => featureId),
  );
  const { tax, total } = taxed({ net: priced.net, taxAmount });
  return {
    uses,
    quote: {
      currency: offer.currency,
      subtotal: priced.subtotal,
      discount: priced.discount,
      tax,
      total,
      trialDays: priced.trialDays,
      features: priced.features.map(({ featureId, value, days }) => ({
        featureId,
        name: names.get(featureId) ?? "",
        value,
        days,
      })),
      trace: priced.trace.map((entry) => {
        const one = byId.get(entry.promotionId) as Considered;
        return {
          promotionId: entry.promotionId,
          name: entry.name,
          code: one.code,
          kind: one.promotion.kind,
          isApplied: entry.applied,
          amount: entry.amount,
          reason: entry.reason,
          words: reasonInLabels(entry, one.promotion, { currency: offer.currency, zone }),
        };
      }),
      later,
    },
  };
};

/** What a sale makes of the person's subscription: decided once, for the preview and for the sale. */
export type Plan = {
  makes: SaleEffect["makes"];
  /** The time that is paid for; without one, a right without end. */
  period: Period | null;
  anchor: Date;
  current: Subscription | null;
  /** When a subscription that is paused goes on, because more of it was bought. */
  resumesAt?: Date;
};

type Planned = {
  offer: Offer;
  current: Subscription | undefined;
  at: Date;
  trialDays: number;
  zone: string;
};

export const planSale = ({ offer, current, at, trialDays, zone }: Planned): Plan => {
  // Free days come first, and the days that are paid for are counted from their end.
  const anchor = trialDays > 0 ? addDays(at, trialDays, zone) : at;
  const rhythm = rhythmOf(offer, anchor, zone);
  if (!rhythm) return { makes: "right", period: null, anchor, current: null };
  if (current?.packageId === offer.packageId && current.pausedAt) {
    const resumesAt = new Date(Math.max(+at, +current.pausedAt));
    const running = { ...current, ...resumedAt(current, resumesAt), pausedAt: null };
    return { ...planSale({ offer, current: running, at, trialDays, zone }), resumesAt };
  }
  if (current?.packageId === offer.packageId) {
    const next = rhythmOf(offer, current.anchor, zone) as Rhythm;
    const isSame =
      current.interval === offer.interval && current.intervalCount === offer.intervalCount;
    const from = current.periodEnd;
    const period = isSame
      ? periodAt(next, current.periodNumber + 1)
      : periodAt({ ...next, anchor: from }, 0);
    return { makes: "period", period, anchor: isSame ? current.anchor : from, current };
  }
  const period = { start: at, end: periodAt(rhythm, 0).end };
  return { makes: current ? "change" : "subscription", period, anchor, current: current ?? null };
};

/** The next period of a subscription, or of another package that was to take its place. */
export const planOfPeriod = (current: Subscription, offer: Offer, period: Period): Plan =>
  offer.packageId === current.packageId
    ? { makes: "period", period, anchor: current.anchor, current }
    : { makes: "change", period, anchor: period.start, current };

const featureRowsSql = statement(
  "transactions.featureRows",
  `select a.name as app, a.icon, f.name as feature, f.kind, f.reset, f.options, held.value,
     ${unitOf("f")} as unit
   from version_values held join features f on f.id = held.feature_id join apps a on a.id = f.app_id
   where held.version_id = $1 order by lower(a.name), a.id, f.id`,
).narrow<{
  unit: { one: string; many: string } | null;
  options: { code: string; name: string }[];
  value: Value;
}>();

const featureRows = (db: Db, versionId: string) => run(db, featureRowsSql, [versionId]);

/** Names, values and prices as they are now, for whoever asks in years what was sold. */
export const takeSnapshot = async (
  db: Db,
  offer: Offer,
  {
    uses,
    credit = null,
    trialDays = 0,
  }: Pick<Priced, "uses"> & Partial<Pick<Snapshot, "credit" | "trialDays">>,
): Promise<Snapshot> => ({
  credit,
  trialDays,
  package: offer.packageName,
  version: offer.version,
  interval: offer.interval,
  intervalCount: offer.intervalCount,
  price: offer.amount,
  promotions: uses.map(({ promotion, code, amount }) => ({
    promotionId: promotion.id,
    name: promotion.name,
    code,
    amount,
  })),
  features: (await featureRows(db, offer.versionId)).map(
    ({ app, icon, feature, value, ...shape }) => ({
      app,
      icon,
      feature,
      words: wordsOf(shape, value),
    }),
  ),
});
