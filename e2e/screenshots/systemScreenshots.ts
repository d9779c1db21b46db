import type { DemoCompany } from "./demoCompany.ts";
import { expect, heading, type Screenshot } from "./screenshot.ts";

/** Jobs as they are after an SMTP server was away, and after a full disk. */
const failedJobs = `
  insert into pgboss.job (name, data, state, retry_limit, retry_count, started_on, start_after, completed_on, output)
  values
    ('send-link', '{"email":"noor@example.com","purpose":"invitation"}', 'retry', 58, 6, now() - interval '4 minutes',
      now() + interval '12 minutes', null, '{"message":"connect ECONNREFUSED"}'),
    ('send-link', '{"email":"bram@example.com","purpose":"reset"}', 'retry', 58, 2, now() - interval '2 minutes',
      now() + interval '6 minutes', null, '{"message":"550 5.1.1 No such user here"}'),
    ('write-personal-export', '{}', 'failed', 5, 5, now() - interval '3 hours', now(), now() - interval '3 hours',
      '{"message":"No space left on device"}')`;

/** As measured every night for three months. */
const sizes = `
  insert into storage_sizes (day, name, bytes)
  select current_date - n, c.relname, (pg_total_relation_size(c.oid) * (1 - n / 160.0))::bigint
  from generate_series(0, 90) n, pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  on conflict (day, name) do update set bytes = excluded.bytes`;

/** Applied, because one without a transaction would also be on other screens. */
const providerEvents = `
  insert into provider_events (provider, event_id, type, body, payment, at, outcome)
  values ('stripe', 'evt_shown', 'payment_intent.succeeded', '{}', 'pi_shown', now(), 'applied')
  on conflict do nothing`;

/** Disabled, so that nothing is sent. */
const lateEndpoint = `
  with made as (
    insert into webhook_endpoints (url, description, types, secret, status, failing_since)
    values ('https://crm.example.com/purser', 'CRM', '{entitlements.changed}', '', 'disabled', now() - interval '2 hours')
    returning id)
  insert into webhook_deliveries (endpoint_id, event_id, line, seq, type, created_at)
  select id, uuid_v7(), uuid_v7(), 1, 'entitlements.changed', now() - minutes * interval '1 minute'
  from made, generate_series(3, 160) minutes`;

export const systemScreenshots = ({ database }: DemoCompany): Screenshot[] => [
  {
    name: "test-mode",
    as: "marta",
    path: "/test/",
    allVariants: true,
    prepare: async (page) => {
      const bar = page.getByRole("region", { name: "Test mode" });
      await expect(bar.getByText(/^Clock:/)).toBeVisible();
    },
  },
  {
    name: "system",
    as: "marta",
    path: "/system",
    allVariants: true,
    before: async () => {
      await database.query("delete from pgboss.job where state in ('failed', 'retry')");
      await database.query(failedJobs);
      await database.query("delete from storage_sizes");
      await database.query(sizes);
      await database.query(providerEvents);
      await database.query(lateEndpoint);
    },
    after: async () => {
      await database.query(
        "delete from webhook_deliveries where endpoint_id in (select id from webhook_endpoints where description = 'CRM')",
      );
      await database.query("delete from webhook_endpoints where description = 'CRM'");
    },
    prepare: async (page) => {
      await heading(page, "System");
      await expect(page.getByRole("button", { name: "Retry all emails" })).toBeVisible();
    },
  },
];
