import { type Permission, permissionsOf, type Role } from "@purser/contract/auth/permissions";
import type { Attention, AttentionKind, SetupStep } from "@purser/contract/reports/home";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";

/** More than these are not counted. */
const countedMax = 500;

type Counted = Pick<Attention, "count" | "record" | "amounts" | "dueAt" | "since">;

const nothing: Counted = { count: 0, record: null, amounts: [], dueAt: null, since: null };

const paymentsSql = template(
  "reports.findOpenPayments",
  (state: "disputed" | "failed" | "unknown") => `
    select currency, count(*)::int as count, sum(total)::float8 as amount, min(occurred_at) as since from (
      select currency, total, occurred_at from transactions
      where state = '${state}' and occurred_at > $1 ${state === "failed" ? "and kind <> 'renewal'" : ""}
      order by occurred_at desc, id desc limit ${countedMax + 1}
    ) few group by currency order by 3 desc, 1`,
  ["disputed"],
  ["failed"],
)
  // A row of each payment.
  .bounded(2000)
  .narrow<{ count: number; amount: number; since: Date }>();

const findPayments =
  (state: "disputed" | "failed" | "unknown", days: number) =>
  async (db: Db, { now }: Viewer): Promise<Counted> => {
    const since = days === 0 ? new Date(0) : new Date(+now - days * 86_400_000);
    const found = await run(db, paymentsSql.for(state), [since]);
    return {
      ...nothing,
      count: found.reduce((sum, { count }) => sum + count, 0),
      amounts: found.map(({ currency, amount }) => ({ currency, amount })),
      since: found.reduce<Date | null>(
        (first, one) => (first && first < one.since ? first : one.since),
        null,
      ),
    };
  };

/** Counts the rows of a table that match, with the first date and the record if it is only one. */
const few = (rows: string) => `
  select count(*)::int as count, min(due) as "dueAt", min(since) as since,
    case when count(*) = 1 then jsonb_build_object('id', min(id::text), 'name', min(name)) end as record
  from (${rows} limit ${countedMax + 1}) few`;

type Row = {
  count: number;
  dueAt: Date | null;
  since: Date | null;
  record: { id: string; name: string } | null;
};

const overdueSql = statement(
  "reports.findOverdue",
  few(`select s.id, '' as name, s.access_until as due, s.period_end as since from subscriptions s
    where s.status = 'past due' order by s.access_until`),
).narrow<Row>();

const unmatchedSql = statement(
  "reports.findUnmatched",
  few(`select e.id, '' as name, null::timestamptz as due, e.received_at as since from provider_events e
    where e.outcome = 'unmatched' order by e.received_at desc, e.id desc`),
).narrow<Row>();

const webhooksSql = statement(
  "reports.findFailingWebhooks",
  few(`select w.id, coalesce(nullif(w.description, ''), w.url) as name, null::timestamptz as due, w.failing_since as since
    from webhook_endpoints w where w.status = 'active' and w.failing_since is not null
      or w.status = 'disabled' and w.disabled_because is not null order by w.id`),
).narrow<Row>();

const keysSql = statement(
  "reports.findExpiringKeys",
  few(`select k.app_id as id, k.name, k.expires_at as due, null::timestamptz as since from app_keys k
    where k.revoked_at is null and k.expires_at > $1 and k.expires_at < $1::timestamptz + interval '14 days'
    order by k.expires_at`),
).narrow<Row>();

const promotionsSql = statement(
  "reports.findEndingPromotions",
  few(`select r.id, r.name, r.ends_at as due, null::timestamptz as since from promotions r
    where r.published_at is not null and r.archived_at is null and r.paused_at is null and r.given_to is null
      and r.ends_at > $1 and r.ends_at < $1::timestamptz + interval '7 days' order by r.ends_at`),
).narrow<Row>();

const approvalsSql = statement(
  "reports.findWaitingApprovals",
  few(`select a.id, a.summary as name, a.expires_at as due, a.created_at as since from approvals a
    where a.status = 'waiting' and a.expires_at > $1 and a.requested_by <> $2 and a.permission = any ($3) order by a.id`),
).narrow<Row>();

const rolloutsSql = statement(
  "reports.findPausedRollouts",
  few(`select p.id, p.name, null::timestamptz as due, o.updated_at as since from rollouts o
    join packages p on p.id = o.package_id where o.status <> 'done' and o.status = 'paused' order by o.starts_at`),
).narrow<Row>();

const draftsSql = statement(
  "reports.findDraftPackages",
  few(`select p.id, p.name, null::timestamptz as due, v.updated_at as since from package_versions v
    join packages p on p.id = v.package_id and p.status <> 'archived'
    where v.state = 'draft' and v.updated_at < $1::timestamptz - interval '7 days' order by v.id`),
).narrow<Row>();

type Viewer = { userId: string; role: Role; now: Date };
type Find = (db: Db, viewer: Viewer) => Promise<Counted>;

const found =
  (asked: typeof overdueSql, ...more: ((viewer: Viewer) => unknown)[]): Find =>
  async (db, viewer) => {
    const row = await first(
      db,
      asked,
      more.map((value) => value(viewer)),
    );
    return row && row.count > 0 ? { ...nothing, ...row } : nothing;
  };

const at = ({ now }: Viewer) => now;

/** What needs attention, and who can do something about it. */
const sources: Readonly<Record<AttentionKind, { permission: Permission | null; find: Find }>> = {
  disputes: { permission: "transactions:write", find: findPayments("disputed", 0) },
  "failed renewals": { permission: "transactions:write", find: found(overdueSql) },
  "failed payments": { permission: "transactions:write", find: findPayments("failed", 7) },
  "unknown payments": { permission: "transactions:write", find: findPayments("unknown", 0) },
  "unmatched events": { permission: "transactions:write", find: found(unmatchedSql) },
  "failing webhooks": { permission: "webhooks:read", find: found(webhooksSql) },
  "expiring keys": { permission: "apps:keys", find: found(keysSql, at) },
  "ending promotions": { permission: "promotions:write", find: found(promotionsSql, at) },
  approvals: {
    permission: null,
    find: found(
      approvalsSql,
      at,
      ({ userId }) => userId,
      ({ role }) => permissionsOf(role),
    ),
  },
  rollouts: { permission: "packages:write", find: found(rolloutsSql) },
  "draft packages": { permission: "packages:write", find: found(draftsSql, at) },
};

/** Everything that needs the attention of a team member. */
export const findAttention = async (db: Db, viewer: Viewer): Promise<Attention[]> => {
  const allowed = permissionsOf(viewer.role);
  const items: Attention[] = [];
  for (const [kind, { permission, find }] of Object.entries(sources)) {
    if (permission !== null && !allowed.includes(permission)) continue;
    const counted = await find(db, viewer);
    if (counted.count === 0) continue;
    items.push({
      ...counted,
      kind: kind as AttentionKind,
      count: Math.min(counted.count, countedMax),
      isMore: counted.count > countedMax,
    });
  }
  return items;
};

const setupSql = statement(
  "reports.findSetup",
  `select exists (select from passkeys where user_id = $1)
       or exists (select from authenticators where id = $1 and confirmed_at is not null) as account,
     (select coalesce(seller ->> 'name', '') <> '' from settings) as company,
     exists (select from apps) as app, exists (select from features) as feature,
     exists (select from package_versions where published_at is not null) as package,
     exists (select from transactions where settled_at is not null) as payment,
     exists (select from app_keys where last_used_at is not null) as key,
     (select count(*) > 1 from (select from users where role is not null limit 2) few) as team`,
).narrow<Record<SetupStep, boolean>>();

/** Which steps of the setup are done, from real data. */
export const findSetup = (db: Db, userId: string) => first(db, setupSql, [userId]);
