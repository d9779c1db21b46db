import type { AttentionKind } from "@purser/contract/reports/attention";

/** Records that need attention: their columns and tables, what is asked of them, and which are searched first. */
type Cause = { key: string; select: string; where: string; order: string };

// Conditions use $1, the time, and $2, the viewer: `viewer` is their ID, `permissions` are theirs, `able` the roles
// that can do something about the kind, and `rolesOf` the roles with each permission.
const ableRoles = "array(select jsonb_array_elements_text($2::jsonb -> 'able'))";
const none = "null::timestamptz";

type Columns = {
  id: string;
  name: string;
  /** The record whose page shows it. */
  page?: string;
  user?: string;
  due?: string;
  since?: string;
  money?: boolean;
};

const columns = ({ id, name, page, user, due, since, money }: Columns) => `
  select ${id} as id, ${name} as name, ${page ?? "null::uuid"} as page_id, ${user ?? "null::uuid"} as user_id,
    ${due ?? none} as due, ${since ?? none} as since,
    ${money ? "t.currency, t.total" : "null::text as currency, null::bigint"} as amount,
    ${ableRoles} as able, null::uuid as not_by`;

/** Until when evidence can be sent for a dispute, as the payment provider said. */
const evidenceDue = `(select case when e.due_at > $1 then e.due_at end from transaction_events e
  where e.transaction_id = t.id and e.type = 'disputed' order by e.at desc, e.id desc limit 1)`;

const payments = (state: string, more = "", due = none): Cause => ({
  key: "t.id",
  select: `${columns({ id: "t.id", name: "t.number", page: "t.id", user: "t.user_id", due, since: "t.occurred_at", money: true })}
    from transactions t`,
  where: `t.state = '${state}' ${more}`,
  order: "t.occurred_at desc, t.id desc",
});

export const causes: Readonly<Record<AttentionKind, Cause>> = {
  disputes: payments("disputed", "", evidenceDue),
  "failed renewals": {
    key: "s.id",
    select: `${columns({ id: "s.id", name: "p.name", page: "s.user_id", user: "s.user_id", due: "s.access_until", since: "s.period_end" })}
      from subscriptions s join packages p on p.id = s.package_id`,
    where: "s.status = 'past due'",
    order: "s.access_until",
  },
  "failed payments": payments(
    "failed",
    "and t.kind <> 'renewal' and t.occurred_at > $1::timestamptz - interval '7 days'",
  ),
  "unknown payments": payments("unknown"),
  "unmatched events": {
    key: "e.id",
    select: `${columns({ id: "e.id", name: "e.type", since: "e.received_at" })} from provider_events e`,
    where: "e.outcome = 'unmatched'",
    order: "e.received_at desc, e.id desc",
  },
  "failing webhooks": {
    key: "w.id",
    select: `${columns({ id: "w.id", name: "coalesce(nullif(w.description, ''), w.url)", since: "w.failing_since" })}
      from webhook_endpoints w`,
    where: `(w.status = 'active' and w.failing_since is not null
      or w.status = 'disabled' and w.disabled_because is not null)`,
    order: "w.id",
  },
  "expiring keys": {
    key: "k.id",
    select: `${columns({ id: "k.id", name: "k.name", page: "k.app_id", due: "k.expires_at" })} from app_keys k`,
    where: `k.revoked_at is null and k.expires_at > $1 and k.expires_at < $1::timestamptz + interval '14 days'`,
    order: "k.expires_at",
  },
  "expiring service keys": {
    key: "k.id",
    select: `${columns({ id: "k.id", name: "k.name", user: "k.account_id", due: "k.expires_at" })}
      from service_keys k join users v on v.id = k.account_id and v.status = 'active'`,
    // Not the one that a rotated key replaces, which has the same name.
    where: `k.revoked_at is null and k.expires_at > $1 and k.expires_at < $1::timestamptz + interval '14 days'
      and not exists (select from service_keys n where n.account_id = k.account_id and n.name = k.name
        and n.revoked_at is null and n.expires_at > k.expires_at)`,
    order: "k.expires_at",
  },
  "rising denials": {
    key: "x.app_id",
    select: `${columns({ id: "x.app_id", name: "a.name", page: "x.app_id", since: "x.denials_rose_at" })}
      from check_apps x join apps a on a.id = x.app_id`,
    where: "x.denials_rose_at is not null",
    order: "x.denials_rose_at desc",
  },
  "ending promotions": {
    key: "r.id",
    select: `${columns({ id: "r.id", name: "r.name", page: "r.id", due: "r.ends_at" })} from promotions r`,
    where: `r.published_at is not null and r.archived_at is null and r.paused_at is null and r.given_to is null
      and r.ends_at > $1 and r.ends_at < $1::timestamptz + interval '7 days'`,
    order: "r.ends_at",
  },
  approvals: {
    key: "a.id",
    select: `select a.id, a.summary as name, null::uuid as page_id, null::uuid as user_id, a.expires_at as due,
        a.created_at as since, null::text as currency, null::bigint as amount,
        array(select jsonb_array_elements_text($2::jsonb -> 'rolesOf' -> a.permission)) as able,
        a.requested_by as not_by
      from approvals a`,
    where: `a.status = 'waiting' and a.expires_at > $1 and a.requested_by <> ($2::jsonb ->> 'viewer')::uuid
      and ($2::jsonb -> 'permissions') ? a.permission`,
    order: "a.id",
  },
  rollouts: {
    key: "o.id",
    select: `${columns({ id: "o.id", name: "p.name", page: "p.id", since: "o.updated_at" })}
      from rollouts o join packages p on p.id = o.package_id`,
    where: "o.status <> 'done' and o.status = 'paused'",
    order: "o.starts_at",
  },
  "draft packages": {
    key: "v.id",
    select: `${columns({ id: "v.id", name: "p.name", page: "p.id", since: "v.updated_at" })}
      from package_versions v join packages p on p.id = v.package_id and p.status <> 'archived'`,
    where: "v.state = 'draft' and v.updated_at < $1::timestamptz - interval '14 days'",
    order: "v.id",
  },
  "draft promotions": {
    key: "r.id",
    select: `${columns({ id: "r.id", name: "r.name", page: "r.id", since: "r.updated_at" })} from promotions r`,
    where: `r.published_at is null and r.archived_at is null and r.given_to is null
      and r.updated_at < $1::timestamptz - interval '14 days'`,
    order: "r.updated_at",
  },
};

/** More than these are not counted. */
export const countedMax = 500;

// A mark is about what it was set for. If the cause began later, it is another one.
const applies = "(few.since is null or few.since <= m.updated_at)";

/** The records of a kind with their marks. An assignee who can no longer do anything about one isn't shown. */
export const markedRecords = (kind: AttentionKind) => {
  const { select, where, order } = causes[kind];
  return `
    from (${select} where ${where} order by ${order} limit ${countedMax + 1}) few
    left join attention_marks m on m.kind = '${kind}' and m.record_id = few.id and ${applies}
    left join users u on u.id = m.assignee_id and u.status = 'active' and u.role = any (few.able)
      and not u.is_service and u.id is distinct from few.not_by
    left join users s on s.id = m.snoozed_by
    left join users c on c.id = few.user_id`;
};

/** Marks of a kind whose record no longer needs attention, or for another cause. */
export const outdatedMarks = (kind: AttentionKind) => {
  const { key, select, where } = causes[kind];
  return `m.kind = '${kind}' and m.updated_at < $1 and not exists (
    select from (${select} where ${where} and ${key} = m.record_id) few where ${applies})`;
};
