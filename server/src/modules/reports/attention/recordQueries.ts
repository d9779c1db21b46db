import {
  allows,
  type Permission,
  permissionsOf,
  type Role,
  roles,
} from "@purser/contract/auth/permissions";
import {
  type Attention,
  type AttentionKind,
  type AttentionRecord,
  attentionKinds,
  attentionRecordsMax,
} from "@purser/contract/reports/attention";
import { type Db, first, run } from "#platform/db/db.ts";
import { template } from "#platform/db/statement.ts";
import { causes, countedMax, markedRecords, outdatedMarks } from "./causeQueries.ts";

export type Viewer = { userId: string; role: Role; now: Date };

/** Who can do something about a kind. Approvals need the permission of each request. */
const permissions: Readonly<Record<AttentionKind, Permission | null>> = {
  disputes: "transactions:write",
  "failed renewals": "transactions:write",
  "failed payments": "transactions:write",
  "unknown payments": "transactions:write",
  "unmatched events": "transactions:write",
  "failing webhooks": "webhooks:read",
  "expiring keys": "apps:keys",
  "expiring service keys": "service-accounts:write",
  "rising denials": "apps:write",
  "ending promotions": "promotions:write",
  approvals: null,
  rollouts: "packages:write",
  "draft packages": "packages:write",
  "draft promotions": "promotions:write",
};

/** The permission to do something about a kind. Approvals need the one of each request, which no viewer has. */
export const permissionFor = (kind: AttentionKind) => permissions[kind] ?? "comments:write";

export const mayHandle = (kind: AttentionKind, role: Role) => {
  const permission = permissions[kind];
  return permission === null || allows(role, permission);
};

const rolesOf = Object.fromEntries(
  permissionsOf("owner").map((permission) => [
    permission,
    roles.filter((role) => allows(role, permission)),
  ]),
);

/** What conditions know about the viewer. */
const viewerOf = (kind: AttentionKind, { userId, role }: Viewer) =>
  JSON.stringify({
    viewer: userId,
    permissions: permissionsOf(role),
    able: roles.filter((one) => mayHandle(kind, one)),
    rolesOf,
  });

const isSnoozed = "coalesce(m.snoozed_until > $1, false)";

const countsSql = template(
  "reports.countAttention",
  (kind: AttentionKind) => `
    select few.currency, count(*) filter (where not ${isSnoozed})::int as count,
      count(*) filter (where ${isSnoozed})::int as "snoozedCount",
      count(u.id) filter (where not ${isSnoozed})::int as "assignedCount",
      coalesce(sum(few.amount) filter (where not ${isSnoozed}), 0)::float8 as amount,
      min(few.since) filter (where not ${isSnoozed}) as since, min(few.due) filter (where not ${isSnoozed}) as "dueAt"
    ${markedRecords(kind)}
    where $3::uuid is null or u.id = $3
    group by few.currency order by 5 desc, 1`,
  ["disputes"],
  ["failed payments"],
  ["approvals"],
  ["unmatched events"],
)
  // A row of each record with its mark, and the events of each dispute.
  .bounded(6000)
  .narrow<{
    currency: string | null;
    count: number;
    snoozedCount: number;
    assignedCount: number;
    amount: number;
    since: Date | null;
    dueAt: Date | null;
  }>();

const recordsSql = template(
  "reports.findAttentionRecords",
  (kind: AttentionKind) => `
    select few.id, few.name, few.page_id as "pageId", c.name as customer,
      case when few.amount is not null
        then jsonb_build_object('currency', few.currency, 'amount', few.amount) end as amount,
      few.due as "dueAt", few.since,
      case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.name) end as assignee,
      case when ${isSnoozed} then m.snoozed_until end as until, s.name as by
    ${markedRecords(kind)}
    where ($3::uuid is null or u.id = $3) and ($4::uuid[] is null or few.id = any ($4))
    order by ${isSnoozed}, few.due nulls last, few.amount desc nulls last, few.since, few.id
    limit ${attentionRecordsMax + 1}`,
  ["disputes"],
  ["failed payments"],
  ["approvals"],
  ["unmatched events"],
)
  .bounded(8000)
  .narrow<{
    id: string;
    name: string;
    amount: { currency: string; amount: number } | null;
    assignee: { id: string; name: string } | null;
  }>();

type Wanted = {
  /** Only those assigned to this team member. */
  assigneeId?: string | null;
  ids?: readonly string[] | null;
};

/** The records of a kind as a team member sees them, one more than are listed if there are. */
export const findRecords = async (
  db: Db,
  kind: AttentionKind,
  viewer: Viewer,
  { assigneeId = null, ids = null }: Wanted = {},
): Promise<AttentionRecord[]> => {
  if (!mayHandle(kind, viewer.role)) return [];
  const found = await run(db, recordsSql.for(kind), [
    viewer.now,
    viewerOf(kind, viewer),
    assigneeId,
    ids,
  ]);
  return found.map(({ until, by, ...record }) => ({
    ...record,
    snoozed: until && { until, by: by ?? "" },
  }));
};

const earliest = (dates: readonly (Date | null)[]) =>
  dates.reduce<Date | null>((first, one) => (one && (!first || one < first) ? one : first), null);

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** The row of one kind as a team member sees it. Null if there is nothing, or their role can't do anything about it. */
const findRow = async (
  db: Db,
  kind: AttentionKind,
  viewer: Viewer,
  wanted: Pick<Wanted, "assigneeId">,
): Promise<Attention | null> => {
  if (!mayHandle(kind, viewer.role)) return null;
  const { assigneeId = null } = wanted;
  const found = await run(db, countsSql.for(kind), [
    viewer.now,
    viewerOf(kind, viewer),
    assigneeId,
  ]);
  const count = sumOf(found.map((one) => one.count));
  const snoozedCount = sumOf(found.map((one) => one.snoozedCount));
  const all = count + snoozedCount;
  if (all === 0) return null;
  const [record = null] = all === 1 ? await findRecords(db, kind, viewer, wanted) : [];
  return {
    kind,
    count: Math.min(count, countedMax),
    isMore: all > countedMax,
    snoozedCount,
    assignedCount: sumOf(found.map((one) => one.assignedCount)),
    record,
    amounts: found.flatMap(({ currency, amount, count: some }) =>
      currency !== null && some > 0 ? [{ currency, amount }] : [],
    ),
    since: earliest(found.map((one) => one.since)),
    dueAt: earliest(found.map((one) => one.dueAt)),
  };
};

/** Everything that needs the attention of a team member. */
export const findRows = async (db: Db, viewer: Viewer, wanted: Pick<Wanted, "assigneeId">) => {
  const rows: Attention[] = [];
  for (const kind of attentionKinds) {
    const row = await findRow(db, kind, viewer, wanted);
    if (row) rows.push(row);
  }
  return rows;
};

const outdatedSql = template(
  "reports.deleteOutdatedMarks",
  (kind: AttentionKind) => `
    with gone as (delete from attention_marks m where ${outdatedMarks(kind)} returning 1)
    select count(*)::int as count from gone`,
  ["disputes"],
  ["approvals"],
  ["failing webhooks"],
).narrow<{ count: number }>();

/** Removes the marks whose cause is gone, of every viewer. */
export const deleteOutdatedMarks = async (db: Db, viewer: Viewer) => {
  for (const kind of Object.keys(causes) as AttentionKind[])
    await first(db, outdatedSql.for(kind), [viewer.now, viewerOf(kind, viewer)]);
};
