import { type Context, transact } from "../audit/context.ts";
import type { Session } from "../auth/sessions/sessions.ts";
import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import type { Announcements } from "../events/announce.ts";

const findTeam = statement(
  "testMode.findTeam",
  `select id, email, name, role, status, role_given_at as "roleGivenAt" from users
   where role is not null and not is_service and status <> 'erased' order by id`,
).present<"role">();

type Member = NonNullable<typeof findTeam.row>;

// A former team member can be merged in test mode, like a customer. The record stays closed, also if they come back.
const copiedStatus =
  "case when users.merged_into is null then excluded.status else users.status end";

// A customer of test mode may have the email address of a team member.
const copyTeam = statement(
  "testMode.copyTeam",
  `with given as (
     select r.id, r.name, r.role, r.status, r.role_given_at, case when exists (
       select from users other where other.email = r.email and other.id <> r.id
     ) then r.id || '@team.invalid' else r.email end as email
     from jsonb_to_recordset($1::jsonb)
       as r(id uuid, email text, name text, role text, status text, role_given_at timestamptz)
   ), listed as (
     insert into test_team (id) select id from given on conflict do nothing
   )
   insert into users (id, email, name, role, status, role_given_at)
   select id, email, name, role, status, role_given_at from given
   on conflict (id) do update set
     email = excluded.email, name = excluded.name, role = excluded.role, status = ${copiedStatus}
   where (users.email, users.name, users.role, users.status)
     is distinct from (excluded.email, excluded.name, excluded.role, ${copiedStatus})`,
);

// What emails to team members depend on.
const findPreferences = statement(
  "testMode.findPreferences",
  `select p.user_id as id, jsonb_strip_nulls(jsonb_build_object(
     'language', p.value -> 'language', 'timeZone', p.value -> 'timeZone', 'digest', p.value -> 'digest')) as value
   from preferences p join users u on u.id = p.user_id
   where u.role is not null and not u.is_service and u.status <> 'erased' order by p.user_id`,
).narrow<{ value: object }>();

const copyPreferences = statement(
  "testMode.copyPreferences",
  `insert into preferences (user_id, value)
   select r.id, r.value from jsonb_to_recordset($1::jsonb) as r(id uuid, value jsonb) join users u on u.id = r.id
   on conflict (user_id) do update set value = excluded.value where preferences.value is distinct from excluded.value`,
);

const endCopies = statement(
  "testMode.endCopies",
  `update users u set role = null, status = 'suspended', name = 'Former team member', email = u.id || '@team.invalid'
   from test_team t where u.id = t.id and t.id <> all ($1::uuid[]) and u.role is not null and u.status <> 'erased'`,
);

const findFormer = statement(
  "testMode.findFormer",
  `select t.id from test_team t join users u on u.id = t.id
   where t.id <> all ($1::uuid[]) and u.status <> 'erased' order by t.id`,
);

const findErased = statement(
  "testMode.findErased",
  "select id from users where id = any ($1::uuid[]) and status = 'erased'",
);

const kept = "'{id,version,created_at,updated_at}'::text[]";

const findShared = statement(
  "testMode.findSettings",
  `select to_jsonb(s) - ${kept} as row, invoice_prefix as invoice, credit_note_prefix as "creditNote" from settings s`,
).narrow<{ row: Record<string, unknown> }>();

const copySettings = statement(
  "testMode.copySettings",
  `update settings s set
     company_name = r.company_name, time_zone = r.time_zone, currencies = r.currencies,
     second_factor_roles = r.second_factor_roles, second_factor_grace_days = r.second_factor_grace_days,
     passwords_allowed = r.passwords_allowed, sign_in_groups = r.sign_in_groups, grace_days = r.grace_days,
     refund_limits = r.refund_limits, approval_rules = r.approval_rules, approval_days = r.approval_days,
     tax_included = r.tax_included, seller = r.seller, account_codes = r.account_codes,
     invoice_prefix = r.invoice_prefix, credit_note_prefix = r.credit_note_prefix,
     send_documents = r.send_documents, document_retention_years = r.document_retention_years,
     refund_daily_limits = r.refund_daily_limits, refund_customer_limits = r.refund_customer_limits,
     grant_limits = r.grant_limits, waiting_hours = r.waiting_hours,
     passkeys_required_from = r.passkeys_required_from, retention = r.retention
   from jsonb_populate_record(null::settings, $1::jsonb) r
   where (to_jsonb(s) - ${kept}) is distinct from (to_jsonb(r) - ${kept})`,
);

const prefixLength = 12;
const marked = (prefix: string) => `TEST-${prefix}`.slice(0, prefixLength);

/** Documents of test mode must not look like those of live. */
export const markedPrefixes = (invoice: string, creditNote: string) =>
  marked(invoice) === marked(creditNote)
    ? { invoice_prefix: "TEST-INV", credit_note_prefix: "TEST-CN" }
    : { invoice_prefix: marked(invoice), credit_note_prefix: marked(creditNote) };

const context: Context = {
  actor: { kind: "system", id: null, name: "test mode" },
  address: null,
  requestId: null,
  reason: null,
};

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

type Found = {
  members: readonly Member[];
  preferences: readonly object[];
  erased: readonly string[];
  settings: object;
};

const writeCopies = async (db: Db, { members, preferences, erased, settings }: Found) => {
  const rows = members.map(({ roleGivenAt, ...member }) => ({
    ...member,
    role_given_at: roleGivenAt,
  }));
  await run(db, copyTeam, [JSON.stringify(rows)]);
  await run(db, copyPreferences, [JSON.stringify(preferences)]);
  await run(db, endCopies, [idsOf(members)]);
  if (erased.length > 0) await run(db, "select erase_person($1)", [erased]);
  await run(db, copySettings, [JSON.stringify(settings)]);
};

const markOf = ({ name, email, role }: Pick<Member, "name" | "email" | "role">) =>
  JSON.stringify([name, email, role]);

type Settings = { live: Db; test: Db; announcements: Announcements };

/**
 * Copies team members with their preferences, and settings, from live into the test database, so that foreign keys, approvals and the history
 * of test mode have them, and erases those who were erased in live. Whether a session may do something is decided by
 * live alone.
 */
export const openCopies = ({ live, test, announcements }: Settings) => {
  let known = new Map<string, string>();

  const refresh = async () => {
    const members = await run(live, findTeam);
    const preferences = await run(live, findPreferences);
    const shared = await first(live, findShared);
    if (!shared) throw new Error("The settings row is missing.");
    const settings = { ...shared.row, ...markedPrefixes(shared.invoice, shared.creditNote) };
    const former = await run(test, findFormer, [idsOf(members)]);
    const erased = former.length > 0 ? await run(live, findErased, [idsOf(former)]) : [];
    const found = { members, preferences, erased: idsOf(erased), settings };
    const { changed } = await transact(test, context, (db) => writeCopies(db, found));
    known = new Map(members.map((member) => [member.id, markOf(member)]));
    void announcements.announce(changed);
  };

  return {
    refresh,
    /** Before the user of a session does something that names them. */
    ensure: async (session: Session) => {
      if (known.get(session.userId) !== markOf(session)) await refresh();
    },
  };
};
export type Copies = ReturnType<typeof openCopies>;
