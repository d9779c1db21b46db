import { permissionsOf, type Role } from "@purser/contract/auth/permissions";
import type { ListQuery } from "@purser/contract/http/list";
import {
  type Approval,
  type ApprovalStatus,
  approvalFields,
} from "@purser/contract/workspace/approvals";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage, mapPage } from "#platform/lists/page.ts";
import {
  type Decider,
  mayDo,
  type RequesterRow,
  refusalToApprove,
  refusalToReject,
} from "./rules.ts";

type Row = Omit<Approval, "isOwn" | "mayDecide" | "mayReject"> & { permission: string };

export type Stored = Row & {
  params: Record<string, unknown>;
  body: Record<string, unknown>;
  ifMatch: number | null;
  basis: Buffer;
  requester: RequesterRow;
};

const select = `
  r.id, r.rule, r.status, r.operation, r.permission, r.entity, r.record_id as "recordId", r.summary, r.facts,
  r.reason, jsonb_build_object('id', requester.id, 'name', requester.name) as "requestedBy", r.created_at as "createdAt",
  r.expires_at as "expiresAt", r.takes_effect_at as "takesEffectAt",
  case when decider.id is not null then jsonb_build_object('id', decider.id, 'name', decider.name) end as "decidedBy",
  r.decided_at as "decidedAt", r.answer, r.version, r.updated_at as "updatedAt"`;

const joins = `
  join users requester on requester.id = r.requested_by
  left join users decider on decider.id = r.decided_by`;

const approvals = selection("approvals.approvals", {
  table: "approvals",
  columns: select,
  joins,
}).narrow<Row>();

type Viewer = Pick<Session, "userId" | "role">;

const approvesFromSql = statement(
  "approvals.approvesFrom",
  `select u.role_given_at + make_interval(hours => s.waiting_hours) as "approvesFrom"
   from users u, settings s where u.id = $1`,
).narrow<{ approvesFrom: Date | null }>();

/** The viewer as an approver. */
export const findDecider = async (db: Db, { userId, role }: Viewer): Promise<Decider> => {
  const row = await first(db, approvesFromSql, [userId]);
  return { userId, role, approvesFrom: row?.approvesFrom ?? null };
};

const shownTo = ({ permission, ...row }: Row, decider: Decider, now: Date): Approval => ({
  ...row,
  isOwn: row.requestedBy.id === decider.userId,
  mayDecide: refusalToApprove({ ...row, permission }, decider, now) === null,
  mayReject: refusalToReject({ ...row, permission }, decider, now) === null,
});

/**
 * Own requests, and those that the viewer's role permits. The values are our own, so they are safe in SQL. Undefined for
 * an owner, who sees all of them, so that no row is read for a condition that all meet.
 */
const visibleTo = ({ userId, role }: Viewer) => {
  const permitted = permissionsOf(role);
  if (permitted.length === permissionsOf("owner").length) return undefined;
  return `(r.requested_by = '${userId}' or r.permission in (${permitted
    .map((permission) => `'${permission}'`)
    .join(", ")}))`;
};

const listFor = (viewer: Viewer): List<typeof approvalFields, Row> => {
  const where = visibleTo(viewer);
  return {
    rows: approvals,
    fields: approvalFields,
    columns: { status: "r.status", rule: "r.rule", createdAt: "r.created_at" },
    sorts: { createdAt: "r.id" },
    search: ["lower(r.summary)", "lower(r.reason)"],
    served: [{ sort: "r.id", fields: { status: true } }],
    ...(where && { where }),
  };
};

export const findApprovals = async (db: Db, query: ListQuery, paging: Paging, viewer: Viewer) => {
  const decider = await findDecider(db, viewer);
  return mapPage(await findPage(db, listFor(viewer), query, paging), (row) =>
    shownTo(row, decider, paging.now),
  );
};

const countWaitingSql = statement(
  "approvals.countWaiting",
  `select count(*)::int as waiting from (
   select from approvals where status = 'waiting' and expires_at > $2 and requested_by <> $1
     and permission = any ($3) limit 100) waiting`,
).narrow<{ waiting: number }>();

export const countWaiting = async (db: Db, viewer: Viewer, now: Date) => {
  const row = await first(db, countWaitingSql, [viewer.userId, now, permissionsOf(viewer.role)]);
  return row?.waiting ?? 0;
};

const hasOtherMemberSql = statement(
  "approvals.hasOtherMember",
  `select exists (
   select from users where role = any ($1) and not is_service and status in ('active', 'suspended') and id <> $2) as found`,
).narrow<{ found: boolean }>();

/** Suspended team members count too; otherwise one team member could suspend the others to bypass approval. */
export const hasOtherMember = async (db: Db, roles: readonly Role[], userId: string | null) => {
  const row = await first(db, hasOtherMemberSql, [roles, userId]);
  return row?.found ?? false;
};

const stored = statement(
  "approvals.findStored",
  `select ${select}, r.params, r.body, r.if_match as "ifMatch", r.basis,
     jsonb_build_object('role', requester.role, 'status', requester.status, 'email', requester.email) as requester
   from approvals r ${joins} where r.id = $1`,
).narrow<Stored>();
const lockedStored = stored.with("for update of r");

/** Includes the call itself. Undefined if the viewer may not see the request. */
export const findStored = async (
  db: Db,
  id: string,
  viewer: Viewer,
  lock: "" | "for update of r" = "",
) => {
  const row = await first(db, lock ? lockedStored : stored, [id]);
  const isVisible = row && (row.requestedBy.id === viewer.userId || mayDo(viewer, row.permission));
  return isVisible ? row : undefined;
};

export const findApproval = async (db: Db, id: string, viewer: Viewer, now: Date) => {
  const found = await findStored(db, id, viewer);
  if (!found) return undefined;
  const { params: _, body: __, ifMatch: ___, basis: ____, requester: _____, ...row } = found;
  return shownTo(row, await findDecider(db, viewer), now);
};

type Asked = Pick<Row, "rule" | "operation" | "permission" | "entity" | "recordId" | "summary"> &
  Pick<Row, "facts" | "reason" | "expiresAt" | "takesEffectAt"> &
  Pick<Stored, "params" | "body" | "ifMatch" | "basis"> & {
    requestedBy: string;
    money: { amount: number; currency: string } | undefined;
  };

const findSameWaitingSql = statement(
  "approvals.findSameWaiting",
  `select r.id, u.name from approvals r join users u on u.id = r.requested_by
   where r.status = 'waiting' and r.basis = $1 and r.expires_at > $2 limit 1`,
);

export const findSameWaiting = (db: Db, basis: Buffer, now: Date) =>
  first(db, findSameWaitingSql, [basis, now]);

const insertApprovalSql = statement(
  "approvals.insertApproval",
  `insert into approvals (rule, operation, permission, params, body, if_match, entity, record_id, summary,
     facts, basis, reason, requested_by, expires_at, takes_effect_at, amount, currency)
   values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, $14, $15, $16, $17)
   returning id`,
);

export const insertApproval = async (db: Db, asked: Asked) => {
  const row = await first(db, insertApprovalSql, [
    ...[asked.rule, asked.operation, asked.permission],
    ...[JSON.stringify(asked.params), JSON.stringify(asked.body), asked.ifMatch],
    ...[asked.entity, asked.recordId, asked.summary, JSON.stringify(asked.facts)],
    ...[asked.basis, asked.reason, asked.requestedBy, asked.expiresAt, asked.takesEffectAt],
    ...[asked.money?.amount ?? null, asked.money?.currency ?? null],
  ]);
  return row?.id ?? "";
};

type Decision = { by: string | null; answer: string | null; now: Date };

/** Decides a waiting request once. False if it was already decided. */
export const endWaiting = async (
  db: Db,
  id: string,
  status: Exclude<ApprovalStatus, "waiting">,
  { by, answer, now }: Decision,
) => {
  const ended = await run(
    db,
    `update approvals set status = $2, decided_by = $3, answer = $4, decided_at = $5
     where id = $1 and status = 'waiting' returning id`,
    [id, status, by, answer, now],
  );
  return ended.length > 0;
};

const findDueSql = statement(
  "approvals.findDue",
  `select id from approvals where status = 'waiting' and takes_effect_at <= $1 and expires_at > $1
   order by takes_effect_at, id limit 100`,
);

/** Requests whose waiting period is over. */
export const findDue = async (db: Db, now: Date) =>
  (await run(db, findDueSql, [now])).map(({ id }) => id);

const lockedDue = stored.with(
  "and r.status = 'waiting' and r.takes_effect_at <= $2 for update of r",
);

export const lockDue = (db: Db, id: string, now: Date) => first(db, lockedDue, [id, now]);

const findOwnersSql = statement(
  "approvals.findOwners",
  "select id, email, name from users where role = 'owner' and status = 'active' order by id",
);

export const findOwners = (db: Db) => run(db, findOwnersSql, []);

const findReviewersSql = statement(
  "approvals.findReviewers",
  "select id from users where role = any ($1::text[]) and not is_service and status = 'active' and id <> $2",
);

/** Active team members with one of these roles, except the requester. */
export const findReviewers = async (db: Db, allowed: readonly Role[], requesterId: string) =>
  (await run(db, findReviewersSql, [[...allowed], requesterId])).map(({ id }) => id);

const findNoticeSql = statement(
  "approvals.findNotice",
  `select r.summary, r.facts, r.reason, r.takes_effect_at as "takesEffectAt", requester.name as requester
   from approvals r join users requester on requester.id = r.requested_by
   where r.id = $1 and r.status = 'waiting'`,
).narrow<{ facts: Approval["facts"] }>();

/** The facts for the email to owners about a change that takes effect after the waiting time. */
export const findNotice = (db: Db, id: string) => first(db, findNoticeSql, [id]);

const expireWaitingSql = statement(
  "approvals.expireWaiting",
  `update approvals set status = 'expired', decided_at = $1
   where status = 'waiting' and expires_at <= $1 returning id`,
);

export const expireWaiting = async (db: Db, now: Date) => {
  const rows = await run(db, expireWaitingSql, [now]);
  return rows.map(({ id }) => id);
};

const findLetterSql = statement(
  "approvals.findLetter",
  `select requester.email, requester.name, r.summary, r.status, r.answer, decider.name as decider
   from approvals r ${joins} where r.id = $1 and requester.status = 'active'`,
);

export const findLetter = (db: Db, id: string) => first(db, findLetterSql, [id]);

export const findRequesterId = async (db: Db, id: string) => {
  const { requestedBy } = await db
    .selectFrom("approvals")
    .select("requestedBy")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return requestedBy;
};
