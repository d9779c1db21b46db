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
import { findPage, type List, mapPage, type Paging } from "#platform/lists/page.ts";
import { mayDo, type RequesterRow, refusalToDecide } from "./rules.ts";

type Row = Omit<Approval, "isOwn" | "mayDecide"> & { permission: string };

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
  r.expires_at as "expiresAt",
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

const shownTo = ({ permission, ...row }: Row, viewer: Viewer, now: Date): Approval => ({
  ...row,
  isOwn: row.requestedBy.id === viewer.userId,
  mayDecide: refusalToDecide({ ...row, permission }, viewer, now) === null,
});

/** Own requests, and those that the viewer's role permits. The values are our own, so they are safe in SQL. */
const visibleTo = ({ userId, role }: Viewer) =>
  `(r.requested_by = '${userId}' or r.permission in (${permissionsOf(role)
    .map((permission) => `'${permission}'`)
    .join(", ")}))`;

const listFor = (viewer: Viewer): List<typeof approvalFields, Row> => ({
  rows: approvals,
  fields: approvalFields,
  columns: { status: "r.status", rule: "r.rule", createdAt: "r.created_at" },
  sorts: { createdAt: "r.id" },
  search: ["lower(r.summary)", "lower(r.reason)"],
  where: visibleTo(viewer),
});

export const findApprovals = async (db: Db, query: ListQuery, paging: Paging, viewer: Viewer) =>
  mapPage(await findPage(db, listFor(viewer), query, paging), (row) =>
    shownTo(row, viewer, paging.now),
  );

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
   select from users where role = any ($1) and status in ('active', 'suspended') and id <> $2) as found`,
).narrow<{ found: boolean }>();

/** Suspended team members count too; otherwise one team member could suspend the others to bypass approval. */
export const hasOtherMember = async (db: Db, roles: readonly Role[], userId: string | null) => {
  const row = await first(db, hasOtherMemberSql, [roles, userId]);
  return row?.found ?? false;
};

const stored = statement(
  "approvals.findStored",
  `select ${select}, r.params, r.body, r.if_match as "ifMatch", r.basis,
     jsonb_build_object('role', requester.role, 'status', requester.status) as requester
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
  return shownTo(row, viewer, now);
};

type Asked = Pick<Row, "rule" | "operation" | "permission" | "entity" | "recordId" | "summary"> &
  Pick<Row, "facts" | "reason" | "expiresAt"> &
  Pick<Stored, "params" | "body" | "ifMatch" | "basis"> & { requestedBy: string };

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
     facts, basis, reason, requested_by, expires_at)
   values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, $14) returning id`,
);

export const insertApproval = async (db: Db, asked: Asked) => {
  const row = await first(db, insertApprovalSql, [
    ...[asked.rule, asked.operation, asked.permission],
    ...[JSON.stringify(asked.params), JSON.stringify(asked.body), asked.ifMatch],
    ...[asked.entity, asked.recordId, asked.summary, JSON.stringify(asked.facts)],
    ...[asked.basis, asked.reason, asked.requestedBy, asked.expiresAt],
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
