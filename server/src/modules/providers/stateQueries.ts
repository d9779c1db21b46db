import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

// Names are read one by one from the index, because a provider may have millions of events.
const findProviderStatesSql = statement(
  "providers.findProviderStates",
  `with recursive known as (
     select (select min(provider) from provider_events) as name
     union all
     select (select min(e.provider) from provider_events e where e.provider > k.name) from known k where k.name is not null
   ), named as (
     select name from known where name is not null union select unnest($1::text[])
   )
   select n.name, c.waiting, c.unmatched,
     l.type, l.received_at as "receivedAt", f.words, f.received_at as "failedAt"
   from named n
   left join lateral (
     select e.type, e.received_at from provider_events e where e.provider = n.name
     order by e.received_at desc, e.id desc limit 1) l on true
   left join lateral (
     select e.words, e.received_at from provider_events e
     where e.provider = n.name and e.outcome in ('waiting', 'unmatched') and e.words is not null
     order by e.received_at desc, e.id desc limit 1) f on true
   cross join lateral (
     select count(*) filter (where e.outcome = 'waiting')::int as waiting,
       count(*) filter (where e.outcome = 'unmatched')::int as unmatched
     from provider_events e where e.provider = n.name and e.outcome in ('waiting', 'unmatched')) c
   order by n.name`,
).narrow<{
  name: string;
  waiting: number;
  unmatched: number;
  type: string | null;
  receivedAt: Date | null;
  words: string | null;
  failedAt: Date | null;
}>();

/** Providers with a secret or with events. */
export const findProviderStates = async (db: Db, configured: readonly string[]) =>
  (await run(db, findProviderStatesSql, [configured])).map(
    ({ name, waiting, unmatched, type, receivedAt, words, failedAt }) => ({
      name,
      isConfigured: configured.includes(name),
      waiting,
      unmatched,
      lastEvent: type !== null && receivedAt ? { type, receivedAt } : null,
      lastError: words !== null && failedAt ? { words, receivedAt: failedAt } : null,
    }),
  );

const removeOldEventsSql = statement(
  "providers.removeOldEvents",
  "select remove_provider_events($1::int) as rows",
).narrow<{ rows: number }>();

/** Removes at most one batch of settled events that are older than the settings say, and returns how many. */
export const removeOldEvents = async (db: Db, batch: number) =>
  (await first(db, removeOldEventsSql, [batch]))?.rows ?? 0;
