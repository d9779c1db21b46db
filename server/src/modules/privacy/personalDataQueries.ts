import { type Db, run } from "#platform/db/db.ts";
import { type Statement, statement } from "#platform/db/statement.ts";

export type Row = Record<string, unknown>;

/** Each part of a customer's personal data becomes one table of the export. $1 is the ids of their records. */
const parts: Record<string, Statement<Row>> = {
  customer: statement(
    "privacy.personalDetails",
    `select number, email, name, external_id as "externalId", company, address, region, country,
       vat_number as "vatNumber", locale, time_zone as "timeZone", status, role, created_at as "since" from users where id = any ($1::uuid[])
     order by merged_into is not null, id`,
  ),
  notes: statement(
    "privacy.personalNotes",
    `select n.created_at as "at", a.name as "by", n.text, n.struck_at as "crossedOutAt"
     from user_notes n join users a on a.id = n.author_id where n.user_id = any ($1::uuid[]) order by n.id`,
  ),
  transactions: statement(
    "privacy.personalTransactions",
    `select t.number, t.kind, t.state, t.occurred_at as "at", t.snapshot ->> 'package' as package, t.currency,
       t.subtotal::float8, t.discount::float8, t.tax::float8, t.total::float8, t.refunded::float8, t.provider, t.reference, t.reason, t.note
     from transactions t where t.user_id = any ($1::uuid[]) order by t.occurred_at, t.id`,
  ),
  lines: statement(
    "privacy.personalLines",
    `select t.number as transaction, l.name, l.quantity, l.period_start as "periodStart", l.period_end as "periodEnd",
       l.net::float8, l.tax::float8, l.gross::float8, l.tax_country as "taxCountry", l.tax_region as "taxRegion",
       l.vat_number as "vatNumber", l.credited::float8
     from transaction_lines l join transactions t on t.id = l.transaction_id
     where t.user_id = any ($1::uuid[]) order by t.occurred_at, t.id, l.position`,
  ),
  balance: statement(
    "privacy.personalBalance",
    `select e.created_at as "at", e.kind, e.currency, e.amount::float8, e.reason, t.number as transaction
     from balance_entries e left join transactions t on t.id = e.transaction_id
     where e.user_id = any ($1::uuid[]) order by e.id`,
  ),
  documents: statement(
    "privacy.personalDocuments",
    `select kind, number, issued_at as "issuedAt", currency, total::float8, sent_at as "emailedAt", content
     from documents where user_id = any ($1::uuid[]) order by issued_at, id`,
  ),
  subscriptions: statement(
    "privacy.personalSubscriptions",
    `select p.name as package, v.number as version, s.status, s.period_start as "periodStart",
       s.period_end as "periodEnd", s.access_until as "accessUntil", s.created_at as "since", s.ended_at as "endedAt"
     from subscriptions s join packages p on p.id = s.package_id join package_versions v on v.id = s.version_id
     where s.user_id = any ($1::uuid[]) order by s.id`,
  ),
  grants: statement(
    "privacy.personalGrants",
    `select coalesce(p.name, f.name) as "to", g.value, g.source, g.reason, g.starts_at as "from",
       nullif(g.ends_at, 'infinity') as "until", g.revoked_at as "revokedAt"
     from grants g left join packages p on p.id = g.package_id left join features f on f.id = g.feature_id
     where g.user_id = any ($1::uuid[]) order by g.starts_at, g.id`,
  ),
  use: statement(
    "privacy.personalUse",
    `select a.name as app, f.name as feature, nullif(u.window_start, '-infinity') as "since", u.used::float8
     from feature_use u join features f on f.id = u.feature_id join apps a on a.id = f.app_id
     where u.user_id = any ($1::uuid[]) and u.used > 0 order by a.name, f.name, u.window_start`,
  ),
  sessions: statement(
    "privacy.personalSessions",
    `select created_at as "at", last_seen_at as "lastSeenAt", address, device from sessions
     where user_id = any ($1::uuid[]) order by created_at`,
  ),
  changes: statement(
    "privacy.personalChanges",
    `select e.at, e.action, e.reason, e.before, e.after from audit_entries e
     where e.entity = 'users' and e.record_id = any ($1::uuid[]) order by e.id`,
  ),
};

export const findPersonalData = async (db: Db, ids: readonly string[]) => {
  const found: Record<string, Row[]> = {};
  for (const [name, part] of Object.entries(parts)) found[name] = await run(db, part, [ids]);
  return found;
};
