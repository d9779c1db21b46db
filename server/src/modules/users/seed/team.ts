import type { Role } from "@purser/contract/auth/permissions";
import { type Db, run } from "#platform/db/db.ts";

const team: [name: string, email: string, role: Role][] = [
  ["Helena Sarapuu", "helena.sarapuu@example.com", "owner"],
  ["Marek Nowicki", "marek.nowicki@example.com", "finance"],
  ["Aisha Rahmani", "aisha.rahmani@example.com", "support"],
  ["Joris Vermeer", "joris.vermeer@example.com", "catalog"],
  ["Lucia Ferrante", "lucia.ferrante@example.com", "viewer"],
];

/**
 * Team members who work in the demo company since its start. They have no password, so no one can sign in as one,
 * except as the owner with the link of `purser demo`.
 */
export const seedDemoTeam = async (db: Db, since: Date) => {
  const made = await run(
    db,
    `insert into users (id, name, email, role, status, created_at, updated_at)
     select uuid_v7($4), name, email, role, 'active', $4, $4
     from unnest($1::text[], $2::text[], $3::text[]) as member (name, email, role)
     on conflict (email) do nothing returning id`,
    [
      team.map(([name]) => name),
      team.map(([, email]) => email),
      team.map(([, , role]) => role),
      since,
    ],
  );
  return made.length;
};

/** The team member of the demo company with this role. */
export const findDemoMember = async (db: Db, role: Role) => {
  const [found] = (await run(
    db,
    "select id from users where email = any ($1::text[]) and role = $2",
    [team.map(([, email]) => email), role],
  )) as { id: string }[];
  return found?.id ?? null;
};
