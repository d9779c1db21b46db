import type { ListQuery } from "@purser/contract/http/list";
import { type TeamMember, teamMemberFields } from "@purser/contract/users/team";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage } from "#platform/lists/page.ts";

const shown = `r.id, r.email, r.name, r.role, r.status, r.version,
  r.created_at as "createdAt", r.updated_at as "updatedAt",
  jsonb_build_object(
    'authenticator',
    exists (select from authenticators a where a.id = r.id and a.confirmed_at is not null),
    'passkeys', (select count(*) from passkeys p where p.user_id = r.id)
  ) as "twoFactor",
  case when not exists (select from authenticators a where a.id = r.id and a.confirmed_at is not null)
    and not exists (select from passkeys p where p.user_id = r.id) then (
      select d.met_at + make_interval(days => o.second_factor_grace_days)
      from second_factor_duties d, settings o
      where d.user_id = r.id and r.role = any (o.second_factor_roles)
    ) end as "twoFactorDueAt",
  (select max(l.expires_at) from links l where l.user_id = r.id and l.purpose = 'invitation')
    as "invitationEndsAt"`;
const isInTeam = "r.role is not null and not r.is_service and r.status <> 'erased'";

const team = selection("users.team", { table: "users", columns: shown })
  // Readers add `isInTeam`, which leaves out customers and erased users.
  .present<"role">()
  .narrow<Pick<TeamMember, "status" | "twoFactor">>();

const list: List<typeof teamMemberFields, TeamMember> = {
  rows: team,
  fields: teamMemberFields,
  columns: {
    name: "lower(r.name)",
    email: "r.email",
    role: "r.role",
    status: "r.status",
    createdAt: "r.created_at",
  },
  sorts: { createdAt: "r.id" },
  search: ["lower(r.name)", "r.email"],
  where: isInTeam,
  isWhereServed: true,
  isSmall: true,
};

export const findTeam = (db: Db, query: ListQuery, paging: Paging) =>
  findPage(db, list, query, paging);

const one = team.with(`where r.id = $1 and ${isInTeam}`);

export const findTeamMember = (db: Db, id: string) => first(db, one, [id]);

const lockedOne = one.with("for update of r");

export const lockTeamMember = (db: Db, id: string) => first(db, lockedOne, [id]);

type Invited = Pick<TeamMember, "email" | "name" | "role">;

/** Inviting a customer or a former team member reuses their record. A new address creates one. */
export const insertTeamMember = async (db: Db, { email, name, role }: Invited) => {
  const customer = await db
    .updateTable("users")
    .set({ name, role, status: "invited" })
    .where("email", "=", email)
    .where("role", "is", null)
    .where("status", "in", ["invited", "active"])
    .returning("id")
    .executeTakeFirst();
  if (customer) return customer.id;
  const { id } = await db
    .insertInto("users")
    .values({ email, name, role })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const updateTeamMember = async (
  db: Db,
  id: string,
  values: Partial<Pick<TeamMember, "name" | "status"> & { role: TeamMember["role"] | null }>,
) => {
  await db.updateTable("users").set(values).where("id", "=", id).execute();
};

/** The status to restore: a user without any credential is still invited. */
export const statusBeforeSuspension = async (db: Db, id: string) => {
  const [known] = await run(
    db,
    `select from users u where u.id = $1 and (
       exists (select from passwords p where p.id = u.id)
       or exists (select from identities i where i.user_id = u.id))`,
    [id],
  );
  return known ? ("active" as const) : ("invited" as const);
};

const countRolesSql = statement(
  "users.countRoles",
  `select r.role, count(*)::integer as members,
     (count(*) filter (where r.status = 'suspended'))::integer as suspended
   from users r where ${isInTeam} group by r.role`,
)
  .present<"role">()
  .narrow<{ members: number; suspended: number }>();

export const countRoles = (db: Db) => run(db, countRolesSql, []);
