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
   ), unsettled as (
     select provider, id, received_at, words, outcome from provider_events where outcome = 'waiting'
     union all
     select provider, id, received_at, words, outcome from provider_events where outcome = 'unmatched'
   ), counted as (
     select provider, count(*) filter (where outcome = 'waiting')::int as waiting,
       count(*) filter (where outcome = 'unmatched')::int as unmatched
     from unsettled group by provider
   ), failed as (
     select distinct on (provider) provider, words, received_at from unsettled where words is not null
     order by provider, received_at desc, id desc
   )
   select n.name, coalesce(c.waiting, 0) as waiting, coalesce(c.unmatched, 0) as unmatched,
     l.type, l.received_at as "receivedAt", f.words, f.received_at as "failedAt"
   from named n
   left join lateral (
     select e.type, e.received_at from provider_events e where e.provider = n.name
     order by e.received_at desc, e.id desc limit 1) l on true
   left join counted c on c.provider = n.name
   left join failed f on f.provider = n.name
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
