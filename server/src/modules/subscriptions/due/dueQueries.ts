import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import {
  isGraceOver,
  isPeriodOver,
  lockDueSubscriptions,
  type Subscription,
} from "../../billing/subscriptionQueries.ts";
import { findUnsplitCustomers } from "../../transactions/split/splitQueries.ts";

/** How many subscriptions one transaction renews or ends. Their customers are locked meanwhile. */
const batchSize = 250;

const dueCustomers = statement(
  "subscriptions.dueCustomers",
  `select s.id, s.user_id as "userId", u.merged_into is not null as "isMerged"
   from subscriptions s join users u on u.id = s.user_id`,
).narrow<{ isMerged: boolean }>();
const locked = "for no key update of u skip locked";
const withPeriodOver = dueCustomers.with(
  `where ${isPeriodOver("s", "$1")} and s.id <> all ($2::uuid[]) order by s.period_end limit $3 ${locked}`,
);
const withGraceOver = dueCustomers.with(
  `where ${isGraceOver("s", "$1")} and s.id <> all ($2::uuid[]) order by s.access_until limit $3 ${locked}`,
);
const chosen = dueCustomers.with(
  `where s.id = any ($2::uuid[]) and (${isPeriodOver("s", "$1")} or ${isGraceOver("s", "$1")}) ${locked}`,
);

type Due = NonNullable<typeof dueCustomers.row>;

export type Batch = {
  /** Locked, and of different customers. */
  subscriptions: Subscription[];
  /** What has to be renewed one by one, because another customer must be locked first. */
  singleIds: string[];
};

/** Other subscriptions of the same customer wait, because what is left of the balance depends on their order. */
const lockBatch = async (db: Db, now: Date, due: readonly Due[]): Promise<Batch> => {
  const firsts = [...new Map(due.toReversed().map((one) => [one.userId, one])).values()];
  const customerIds = firsts.map(({ userId }) => userId);
  if (firsts.length === 0) return { subscriptions: [], singleIds: [] };
  const unsplit = await findUnsplitCustomers(db, customerIds);
  const isSingle = ({ userId, isMerged }: Due) => isMerged || unsplit.has(userId);
  const ids = firsts.filter((one) => !isSingle(one)).map(({ id }) => id);
  return {
    subscriptions: await lockDueSubscriptions(db, { ids, customerIds, now }),
    singleIds: firsts.filter(isSingle).map(({ id }) => id),
  };
};

/** The next batch. Skips what other workers and requests have locked, so that any number of workers can share the work. */
export const lockNextBatch = async (db: Db, now: Date, exceptIds: readonly string[]) => {
  const over = await run(db, withPeriodOver, [now, exceptIds, batchSize]);
  const rest = batchSize - over.length;
  const late = rest > 0 ? await run(db, withGraceOver, [now, exceptIds, rest]) : [];
  return lockBatch(db, now, [...over, ...late]);
};

/** Those of them that are still due. */
export const lockChosen = async (db: Db, now: Date, ids: readonly string[]) =>
  lockBatch(db, now, await run(db, chosen, [now, ids]));

const findSamePricesSql = statement(
  "subscriptions.findSamePrices",
  `select s.id, price.id as "priceId" from subscriptions s join version_prices own on own.id = s.price_id
   join version_prices price on price.version_id = s.next_version_id and price.currency = own.currency
     and price.interval = own.interval and price.interval_count = own.interval_count
   where s.id = any ($1::uuid[])`,
);

/** The prices of the next versions in the currency and interval of each subscription. */
export const findSamePrices = async (db: Db, ids: readonly string[]) =>
  new Map((await run(db, findSamePricesSql, [ids])).map(({ id, priceId }) => [id, priceId]));
