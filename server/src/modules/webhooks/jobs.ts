import { z } from "zod";
import { type Db, first } from "#platform/db/db.ts";
import { template } from "#platform/db/statement.ts";
import { job } from "#platform/jobs/queues.ts";

const keptDays = 30;
const batch = 5000;

// An id begins with its time.
const over = `
  delete from webhook_deliveries where id in (
    select d.id from webhook_deliveries d
    where d.id < uuid_v7($1) and d.state <> 'waiting'
    union all
    select d.id from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
    where w.status = 'deleted'
    limit ${batch}
  )`;

const told = `
  delete from webhook_events where id in (
    select e.id from webhook_events e
    where e.id < uuid_v7($1) and e.seq is not null
      and not exists (select from webhook_deliveries d where d.event_id = e.id)
    limit ${batch}
  )`;

const idle = `
  delete from webhook_lines l where l.next_at is null
    or l.endpoint_id in (select id from webhook_endpoints where status = 'deleted')`;

const gone = `
  delete from webhook_endpoints w where w.status = 'deleted'
    and not exists (select from webhook_deliveries d where d.endpoint_id = w.id)
    and not exists (select from webhook_lines l where l.endpoint_id = w.id)`;

const countRemoved = template(
  "webhooks.countRemoved",
  (deletion: string) =>
    `with removed as (${deletion} returning 1) select count(*)::int as rows from removed`,
  [over],
  [told],
  [idle],
  [gone],
).narrow<{ rows: number }>();

const removed = async (db: Db, deletion: string, values: unknown[]) => {
  const row = await first(db, countRemoved.for(deletion), values);
  return row?.rows ?? 0;
};

/** Clears away what was told long ago, and what belongs to deleted endpoints. */
export const forgetWebhooks = job({
  name: "forget-webhooks",
  payload: z.object({}),
  every: "41 * * * *",
  inSteps: true,
  run: async ({ now, step }) => {
    const before = new Date(now.getTime() - keptDays * 86_400_000);
    for (const statement of [over, told])
      while ((await step((db) => removed(db, statement, [before]))) === batch);
    await step((db) => removed(db, idle, []));
    await step((db) => removed(db, gone, []));
  },
});
