-- What we know of a person, to be taken away as a file for a while.
create table personal_exports (
  id uuid constraint personal_exports_pkey primary key default uuid_v7(),
  user_id uuid not null constraint personal_exports_user references users (id),
  requested_by uuid not null constraint personal_exports_requested_by references users (id),
  requested_at timestamptz not null,
  -- Null until it is written.
  file bytea,
  ready_at timestamptz,
  expires_at timestamptz,
  constraint personal_exports_ready check ((file is null) = (ready_at is null) and (file is null) = (expires_at is null))
);
create index personal_exports_of_user on personal_exports (user_id, id desc);
create index personal_exports_expiry on personal_exports (expires_at);
select audit_table('personal_exports', '{file}');
grant select, insert, update, delete on personal_exports to purser_app;

-- Erasing a person -----------------------------------------------------------------------------

-- The texts that people write stay as they were written, unless they are erased.
create or replace function keep_transaction() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'A transaction is never deleted once it was recorded. Void it, or refund it.'
        using errcode = 'check_violation', constraint = 'problem_frozen';
    end if;
    return old;
  end if;
  if new.reason = 'erased' then old.reason := 'erased'; end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('draft', 'pending'), ('draft', 'succeeded'), ('draft', 'voided'),
    ('pending', 'succeeded'), ('pending', 'failed'), ('pending', 'unknown'), ('pending', 'canceled'),
    ('unknown', 'succeeded'), ('unknown', 'failed'), ('failed', 'succeeded'), ('canceled', 'succeeded'),
    ('unknown', 'canceled'), ('canceled', 'unknown'), ('failed', 'canceled'), ('canceled', 'failed'),
    ('succeeded', 'disputed'), ('disputed', 'succeeded'), ('disputed', 'charged back')
  ) then
    raise exception 'A transaction that is % cannot become %.', old.state, new.state
      using errcode = 'check_violation', constraint = 'problem_wrong_state';
  end if;
  if old.number <> new.number or old.created_at <> new.created_at or (old.state <> 'draft' and (
    (old.kind, old.user_id, old.package_id, old.version_id, old.price_id, old.parent_id, old.currency, old.subtotal,
      old.discount, old.tax, old.total, old.provider, old.occurred_at, old.access, old.reason, old.snapshot)
    is distinct from
    (new.kind, new.user_id, new.package_id, new.version_id, new.price_id, new.parent_id, new.currency, new.subtotal,
      new.discount, new.tax, new.total, new.provider, new.occurred_at, new.access, new.reason, new.snapshot)
    or old.reference <> new.reference or old.settled_at <> new.settled_at
    or (old.settled_at is not null and (old.subscription_id <> new.subscription_id
      or old.period_start <> new.period_start or old.period_end <> new.period_end))
  )) then
    raise exception 'What was recorded of money never changes. Refund it, or record another.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;

create or replace function keep_provider_event() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if new.body = '{"erased":true}' then old.body := new.body; end if;
  if (old.provider, old.event_id, old.type, old.payment, old.body, old.at, old.received_at)
    is distinct from (new.provider, new.event_id, new.type, new.payment, new.body, new.at, new.received_at)
    or (old.outcome in ('applied', 'ignored') and new.outcome <> old.outcome) then
    raise exception 'What a provider told stays as it came in.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;

-- Whether a text tells who somebody is, in any spelling of theirs.
create function mentions(written text, words text[]) returns boolean
language sql immutable parallel safe as $$
  select exists (select from unnest(words) word where position(lower(word) in lower(written)) > 0)
$$;

-- Whether a text has one of these as a whole: an address that another one ends with is somebody else's. What JSON
-- writes for the end of a line is none of its letters.
create function points_at(written text, words text[]) returns boolean
language sql immutable parallel safe as $$
  select exists (
    select from unnest(words) word
    where position(lower(word) in lower(written)) > 0 and lower(written) ~ (
      '((?<![[:alnum:]._%+-])|(?<=\\[nrt]))'
      || regexp_replace(lower(word), '([][\\.^$|(){}*+?-])', '\\\1', 'g')
      || '(?![[:alnum:]_-]|\.[[:alnum:]])'))
$$;

-- Every way in which our rows and our log ever named these records of one person, or only what is nobody else's now.
-- Also as it stands in JSON, which writes some letters differently.
create function words_of(people uuid[], only_theirs boolean) returns text[]
language sql stable set search_path = public, pg_temp as $$
  with named as (
    select part, value as word from users u
    cross join lateral (values ('email', u.email), ('name', u.name), ('external_id', u.external_id)) parts (part, value)
    where u.id = any (people)
    union select part, stored ->> part
    from audit_entries e
    cross join lateral (values (e.before), (e.after)) versions (stored)
    cross join unnest('{email,name,external_id}'::text[]) part
    where e.entity = 'users' and e.record_id = any (people)
  )
  select coalesce(array_agg(distinct spelled), '{}')
  from named cross join lateral (
    values (word), (trim(both '"' from to_json(word)::text))
  ) spellings (spelled)
  where length(spelled) >= 3 and spelled <> 'erased'
    -- A name or a short id may be somebody else's too, and so may an address that they gave up.
    and (not only_theirs or (part = 'email' or part = 'external_id' and length(word) >= 8)
      and not exists (select from users u where u.id <> all (people) and (u.email = word or u.external_id = word)))
$$;

-- Takes out of every row of ours, and of the audit log, who this person was: all records that became one. Money and
-- rights stay as they are.
create function erase_person(people uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  names text[] := words_of(people, false);
  unique_words text[] := words_of(people, true);
  theirs uuid[] := array(
    select id from transactions where user_id = any (people)
    union all select id from subscriptions where user_id = any (people)
    union all select id from user_notes where user_id = any (people)
    union all select id from grants where user_id = any (people));
  -- What was done because they had asked a second person for it says so in its reason.
  on_request bigint[] := array(
    select e.id from approvals a
    join audit_entries decided on decided.entity = 'approvals' and decided.record_id = a.id
    join audit_entries e on e.request_id = decided.request_id
    where a.requested_by = any (people) and e.reason like 'Asked by %');
  what audit_redactions;
  kind text;
  noted uuid;
  asked uuid[];
  listed uuid[];
begin
  -- Whoever says why they erase somebody may name them. From here on every entry would repeat it.
  if mentions(current_setting('purser.reason', true), names) then
    perform set_config('purser.reason', 'erased', true);
  end if;

  update users set email = 'erased-' || id || '@erased.invalid', name = 'Erased person', external_id = null,
    country = null, locale = null, time_zone = null, status = 'erased'
  where id = any (people) and status <> 'erased';

  delete from sessions where user_id = any (people);
  delete from challenges where user_id = any (people);
  delete from links where user_id = any (people);
  delete from known_devices where user_id = any (people);
  delete from recovery_codes where user_id = any (people);
  delete from passwords where id = any (people);
  delete from authenticators where id = any (people);
  delete from passkeys where user_id = any (people);
  delete from preferences where user_id = any (people);
  delete from sign_ins where user_id = any (people);
  delete from second_factor_duties where user_id = any (people);
  delete from identities where user_id = any (people);
  delete from personal_exports where user_id = any (people);
  delete from drafts d where d.user_id = any (people) or points_at(d.value::text || d.base::text, unique_words);
  delete from promotion_replays where points_at(details::text, unique_words);
  -- Views that colleagues saved to find them.
  update preferences p set value = jsonb_set(p.value, '{views}', (
    select jsonb_object_agg(list, (
      select coalesce(jsonb_agg(view order by place), '[]')
      from jsonb_array_elements(views) with ordinality saved (view, place)
      where not points_at(view::text, unique_words)))
    from jsonb_each(p.value -> 'views') lists (list, views)))
  where points_at(p.value ->> 'views', unique_words);

  update user_notes set text = 'erased' where user_id = any (people) and text <> 'erased';
  update transactions set note = case when mentions(note, names) then 'erased' else note end,
    reason = case when mentions(reason, names) then 'erased' else reason end
  where user_id = any (people) and (mentions(note, names) or mentions(reason, names));
  update transaction_events e set evidence = 'erased' from transactions t
  where t.id = e.transaction_id and t.user_id = any (people) and mentions(e.evidence, names);
  update grants set reason = 'erased' where user_id = any (people) and mentions(reason, names);
  update grant_changes c set reason = 'erased' from grants g
  where g.id = c.grant_id and g.user_id = any (people) and mentions(c.reason, names);
  update grant_changes set reason = 'erased'
  where reason in (select reason from audit_entries where id = any (on_request));
  update grant_changes set actor_name = 'erased' where actor_id = any (people);
  -- What a provider told of their payments; of what belongs to nobody yet, that which names them.
  update provider_events p set body = '{"erased":true}', words = null, next_try_at = null,
    outcome = case when outcome in ('waiting', 'unmatched') then 'ignored' else outcome end
  where p.id in (
    select id from provider_events where outcome in ('waiting', 'unmatched') and points_at(body, unique_words)
    union all
    select e.id from transactions t join provider_events e on e.transaction_id = t.id where t.user_id = any (people)
    union all
    select e.id from transactions t join provider_events e on e.provider = t.provider and e.payment = t.reference
    where t.user_id = any (people));

  -- What waits for a second person and names them is asked of nobody any more.
  asked := array(
    select id from approvals
    where record_id = any (people)
      or record_id = any (theirs) and mentions(concat_ws(' ', summary, facts, body, reason, answer), names)
      or points_at(concat_ws(' ', summary, facts, body, reason, answer), unique_words));
  update approvals set summary = 'erased', facts = '[]', body = '{}', reason = 'erased', answer = null,
    status = case status when 'waiting' then 'stale' else status end, decided_at = coalesce(decided_at, now())
  where id = any (asked);
  listed := array(select id from exports where points_at(query::text, unique_words));
  update exports set query = '{}' where id = any (listed);

  foreach noted in array people loop
    perform audit_redact('users', noted, '{email,name,external_id,country,locale,time_zone}');
    perform audit_redact_actor(noted);
  end loop;
  foreach noted in array asked loop
    perform audit_redact('approvals', noted, '{summary,facts,body,reason,answer}');
  end loop;
  foreach noted in array listed loop
    perform audit_redact('exports', noted, '{query}');
  end loop;
  for noted in select id from user_notes where user_id = any (people) loop
    perform audit_redact('user_notes', noted, '{text}');
  end loop;
  -- How they signed in when they worked here.
  for kind, noted in
    select distinct e.entity, e.record_id from audit_entries e
    where e.entity in ('identities', 'passkeys') and (coalesce(e.before, e.after) ->> 'user_id')::uuid = any (people)
  loop
    perform audit_redact(kind, noted, audit_personal(kind));
  end loop;
  for noted in
    select distinct e.record_id from audit_entries e join transactions t on t.id = e.record_id
    where e.entity = 'transactions' and t.user_id = any (people)
      and mentions(concat_ws(' ', e.before ->> 'note', e.before ->> 'reason', e.after ->> 'note', e.after ->> 'reason'), names)
  loop
    perform audit_redact('transactions', noted, '{note,reason}');
  end loop;
  for noted in
    select distinct e.record_id from audit_entries e join grants g on g.id = e.record_id
    where e.entity = 'grants' and g.user_id = any (people)
      and mentions(concat_ws(' ', e.before ->> 'reason', e.after ->> 'reason'), names)
  loop
    perform audit_redact('grants', noted, '{reason}');
  end loop;

  -- Why somebody did something: of the person's own records by any of their names, of all others by what is only theirs.
  what.columns := '{reason}';
  what.entity := 'users';
  what.record_id := people[1];
  perform audit_redact_entries(array(
    select e.id from audit_entries e
    where e.reason is not null and mentions(e.reason, names) and (
      e.entity = 'users' and e.record_id = any (people)
      or e.record_id = any (theirs || asked))
    union select unnest(on_request)
    union
    select e.id from unnest(unique_words) word cross join lateral (
      select id, reason from audit_entries where lower(reason) like '%' || replace(replace(lower(word), '\', '\\'), '_', '\_') || '%'
    ) e where points_at(e.reason, unique_words)
  ), what, true, false);
end
$$;
revoke execute on function erase_person(uuid[]) from public;
grant execute on function erase_person(uuid[]) to purser_app;
