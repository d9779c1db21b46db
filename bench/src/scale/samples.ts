import type pg from "pg";
import { heavyCustomer, wideApp } from "./outliers.ts";

/** SQL for the ids of records that requests name: an ordinary one, and the one with the most rows behind it. */
const queries: Record<string, string[]> = {
  apps: [
    "select id from apps where code = 'many-office'",
    "select id from apps order by id desc limit 1",
    `select id from apps where code = '${wideApp}'`,
  ],
  features: ["select id from features where code = 'feature-1' limit 1"],
  packages: [
    "select id from packages where code = 'many-plan'",
    "select package_id as id from transactions where package_id is not null group by 1 order by count(*) desc limit 1",
  ],
  promotions: ["select id from promotions where name = 'Ten of many'"],
  transactions: [
    "select id from transactions where kind = 'purchase' and refunded > 0 and parent_id is null order by id desc limit 1",
    "select id from transactions where kind = 'renewal' order by id limit 1",
  ],
  // One that can be changed to the first of the packages now.
  subscriptions: [
    `select s.id from subscriptions s join version_prices own on own.id = s.price_id
     where s.status = 'active' and s.period_end > now() and s.quantity = 1 and s.billed_by is null
       and s.change_version_id is null and s.next_version_id is null and own.interval <> 'once'
       and exists (select from packages k join package_versions v on v.package_id = k.id and v.state = 'on sale'
         join version_prices p on p.version_id = v.id and p.interval = 'month' and p.interval_count = 1
         where k.code = 'many-plan' and k.id <> s.package_id and p.currency = own.currency)
     order by s.id desc limit 1`,
  ],
  users: [
    `select id from users where email = '${heavyCustomer}'`,
    "select user_id as id from transactions where kind = 'renewal' order by id limit 1",
  ],
  team: ["select id from users where role = 'owner' order by id limit 1"],
  audit: [
    "select id::text from audit_entries where entity = 'transactions' order by id desc limit 1",
  ],
  "webhook-deliveries": ["select id from webhook_deliveries order by id limit 1"],
  imports: ["select id from imports where emptied_at is null order by id desc limit 1"],
  rollouts: ["select rollout_id as id from rollout_moves limit 1"],
  "provider-events": ["select id from provider_events order by id desc limit 1"],
  approvals: ["select id from approvals order by id desc limit 1"],
  "list-jobs": [
    "select id from list_jobs where dismissed_at is null order by total desc nulls last limit 1",
  ],
  simulations: ["select id from promotion_replays limit 1"],
  // How sold apps name customers.
  customers: [
    `select external_id as id from users where email = '${heavyCustomer}'`,
    "select external_id as id from users where external_id is not null order by id desc limit 1",
  ],
  emails: [`select email as id from users where email = '${heavyCustomer}'`],
  grants: [
    `select g.id from grants g join users u on u.id = g.user_id where u.email = '${heavyCustomer}' order by g.id limit 1`,
  ],
  currencies: [
    `select p.currency as id from version_prices p join package_versions v on v.id = p.version_id
     join packages k on k.id = v.package_id
     where k.code = 'many-plan' and v.state = 'on sale' and p.interval = 'month' limit 1`,
  ],
};

/** The samples of each kind of record, by the part of the path before it. */
export const findSamples = async (client: pg.Client) => {
  const samples: Record<string, string[]> = {};
  for (const [name, texts] of Object.entries(queries)) {
    const found: string[] = [];
    for (const text of texts) {
      const { rows } = await client.query<{ id: string }>(text);
      if (rows[0]) found.push(rows[0].id);
    }
    samples[name] = found;
  }
  return samples;
};
export type Samples = Awaited<ReturnType<typeof findSamples>>;
