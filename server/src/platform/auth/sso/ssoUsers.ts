import type { Role } from "@purser/contract/auth/permissions";
import type { SettingsDetails } from "@purser/contract/workspace/settings";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import type { CompanyPerson } from "./identityProvider.ts";

/** The role that the first matching line gives, in the order of the settings. */
export const roleOf = (groups: readonly string[], lines: SettingsDetails["signInGroups"]) =>
  lines.find(({ group }) => groups.includes(group))?.role ?? null;

const columns = "u.id, u.role, u.status, i.subject";

const lockBySubjectSql = statement(
  "auth.lockBySubject",
  `select ${columns} from identities i join users u on u.id = i.user_id
   where i.issuer = $1 and i.subject = $2 for update of u`,
);

const lockByEmailSql = statement(
  "auth.lockByEmail",
  `select ${columns} from users u left join identities i on i.user_id = u.id and i.issuer = $1
   where u.email = $2 for update of u`,
);

/** `subject` is the person's identity at this issuer, or null if none is stored yet. */
type Known = RowOf<typeof lockByEmailSql>;

/** By who they are at the provider; whoever comes for the first time, by their verified address. */
const lockKnown = async (db: Db, { issuer, subject, email }: CompanyPerson) => {
  const bySubject = await first(db, lockBySubjectSql, [issuer, subject]);
  if (bySubject || email === null) return bySubject;
  const byMail = await first(db, lockByEmailSql, [issuer, email]);
  return byMail;
};

/** One owner always stays: a group at the company must not lock everybody out. */
const isLastOwner = async (db: Db, { id, role, status }: Known) => {
  if (role !== "owner" || status !== "active") return false;
  await run(db, "select pg_advisory_xact_lock(hashtext('owners'))", []);
  const others = await run(
    db,
    "select from users where role = 'owner' and status = 'active' and id <> $1 limit 1",
    [id],
  );
  return others.length === 0;
};

const insertPerson = async (db: Db, { name }: CompanyPerson, email: string, role: Role) => {
  const { id } = await db
    .insertInto("users")
    .values({ email, name, role, status: "active" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

const link = async (db: Db, userId: string, { issuer, subject }: CompanyPerson, now: Date) => {
  await db.insertInto("identities").values({ userId, issuer, subject, createdAt: now }).execute();
};

const refusalOf = (known: Known | undefined, person: CompanyPerson, role: Role | null) => {
  if (!known && person.email === null)
    return "Your mail address is not verified there. Ask who looks after it to verify it.";
  if (known?.status === "suspended" || known?.status === "erased")
    return "You are suspended in this office. Ask an owner.";
  if (known?.subject && known.subject !== person.subject)
    return "Your mail address belongs to somebody else's account there. Ask an owner.";
  if (!role) return "None of your groups there may use this office. Ask an owner which one does.";
  return null;
};

type Settled = { userId: string | null; refusal: string | null };

/**
 * Who this is in the office, with the role that the company gives them now: matched, changed or made.
 * It refuses by its result, because what it ended must stay ended.
 */
export const settlePerson = async (
  db: Db,
  person: CompanyPerson,
  { role, now }: { role: Role | null; now: Date },
): Promise<Settled> => {
  const known = await lockKnown(db, person);
  const refusal = refusalOf(known, person, role);
  if (refusal || !role) {
    // Only whoever the provider really names: an address alone ends nobody's sessions.
    if (known && known.subject === person.subject && !role) await endSessionsOf(db, known.id);
    return { userId: known?.id ?? null, refusal: refusal ?? "" };
  }
  if (!known) {
    const userId = await insertPerson(db, person, person.email ?? "", role);
    await link(db, userId, person, now);
    return { userId, refusal: null };
  }
  if (!known.subject) await link(db, known.id, person, now);
  const given = known.role !== role && !(await isLastOwner(db, known)) ? role : known.role;
  if (given !== known.role || known.status !== "active")
    await db
      .updateTable("users")
      .set({ role: given, status: "active" })
      .where("id", "=", known.id)
      .execute();
  return { userId: known.id, refusal: null };
};

export const isStillLinked = async (db: Db, userId: string, { issuer, subject }: CompanyPerson) =>
  (
    await run(db, "select from identities where user_id = $1 and issuer = $2 and subject = $3", [
      userId,
      issuer,
      subject,
    ])
  ).length > 0;
