import type pg from "pg";

/** Fewer rows show nothing about a table that grows. */
const rowsMin = 1000;

/** Tables that need fewer rows, by reason. A new table is filled in `bench/src/scale`, or listed here. */
export const few: Record<string, readonly string[]> = {
  "One row, or one per release or backfill": [
    ...["audit_retention", "backfills", "installation", "kysely_migration", "report_state"],
    ...["settings", "test_clock"],
  ],
  "A few per team member or service account": [
    ...["authenticators", "drafts", "identities", "known_devices", "passkeys", "passwords"],
    ...["preferences", "recovery_codes", "second_factor_duties", "service_accounts"],
    ...["service_keys", "sessions", "test_team"],
  ],
  "Deleted within minutes or a day": ["challenges", "links", "tries"],
  "Queues that jobs empty": [
    ...["audit_unsealed", "documents_to_issue", "mrr_queue", "revenue_queue"],
  ],
  "Limited to some hundred": [
    ...["import_mappings", "report_emails", "saved_reports", "shared_views"],
  ],
  "A few per month or year": [
    ...["archives", "audit_months", "audit_removals", "audit_removed", "audit_verifications"],
    ...["document_numbers", "retention_months", "signing_keys"],
  ],
  "Only while customers are erased": ["audit_redacted", "audit_redactions"],
  "Made by hand, and read by their record": [
    ...["app_keys", "promotion_amounts", "promotion_packages", "promotion_people"],
    ...["promotion_replays", "rollouts", "tax_rates", "version_apps", "version_prices"],
    ...["version_values", "webhook_endpoints"],
  ],
  "One per app that checks or has webhooks": ["app_webhooks", "check_apps"],
  "Only of what waits: payments without a result, failed deliveries, attention": [
    ...["attention_marks", "reconciliations", "webhook_lines"],
  ],
};

/** Only in the long form. */
const onlyInLong = ["line_credits"];

type Counted = { name: string; rows: number };

/** What is missing in the fill, and what is listed although it isn't few. */
export const faultsOfFill = (counted: readonly Counted[], isShort: boolean) => {
  const exceptions = [...Object.values(few).flat(), ...(isShort ? onlyInLong : [])];
  const names = new Set(counted.map(({ name }) => name));
  return [
    ...counted
      .filter(({ name, rows }) => rows < rowsMin && !exceptions.includes(name))
      .map(
        ({ name, rows }) =>
          `The table ${name} has ${rows} rows. Fill it, or say in bench/src/scale/growth.ts why it stays small.`,
      ),
    ...exceptions
      .filter((name) => !names.has(name))
      .map((name) => `There is no table ${name}. Remove it from bench/src/scale/growth.ts.`),
  ];
};

/** Throws if a table that grows was not filled. */
export const assertFilled = async (client: pg.Client, isShort: boolean) => {
  const { rows: tables } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const { rows } = await client.query<Counted>(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name, count(*)::int as rows from (select from public.${name} limit ${rowsMin}) few`,
      )
      .join(" union all "),
  );
  const faults = faultsOfFill(rows, isShort);
  if (faults.length > 0) throw new Error(faults.join("\n"));
};
