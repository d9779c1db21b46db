import type { ListQuery } from "@purser/contract/list";
import { type StaffMember, staffFields } from "@purser/contract/staff";
import { type Db, run } from "#platform/db/db.ts";
import { findPage, type List, type Paging } from "#platform/lists/page.ts";

const shown = `r.id, r.email, r.name, r.role, r.status, r.version,
  r.created_at as "createdAt", r.updated_at as "updatedAt"`;
const isStaff = "r.role is not null and r.status <> 'erased'";

const list: List<typeof staffFields, StaffMember> = {
  table: "users",
  fields: staffFields,
  columns: {
    name: "lower(r.name)",
    email: "r.email",
    role: "r.role",
    status: "r.status",
    createdAt: "r.created_at",
  },
  sorts: { createdAt: "r.id" },
  search: ["lower(r.name)", "r.email"],
  where: isStaff,
  select: shown,
};

export const findStaff = (db: Db, query: ListQuery, paging: Paging) =>
  findPage(db, list, query, paging);

const one = `select ${shown} from users r where r.id = $1 and ${isStaff}`;

export const findStaffMember = async (db: Db, id: string) =>
  (await run<StaffMember>(db, one, [id]))[0];

export const lockStaffMember = async (db: Db, id: string) =>
  (await run<StaffMember>(db, `${one} for update`, [id]))[0];

type Invited = Pick<StaffMember, "email" | "name" | "role">;

export const insertStaffMember = async (db: Db, invited: Invited) => {
  const { id } = await db
    .insertInto("users")
    .values(invited)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const updateStaffMember = async (
  db: Db,
  id: string,
  values: Partial<Pick<StaffMember, "name" | "role" | "status">>,
) => {
  await db.updateTable("users").set(values).where("id", "=", id).execute();
};

/** Back to where the person was: without a password yet, the invitation still stands. */
export const statusBeforeSuspension = async (db: Db, id: string) => {
  const password = await db
    .selectFrom("passwords")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  return password ? ("active" as const) : ("invited" as const);
};
