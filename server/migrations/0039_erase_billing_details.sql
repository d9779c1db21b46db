-- Billing details of customers are personal data: erasing a customer removes them, also from the audit log.

create or replace function audit_personal(entity text) returns text[]
language sql immutable parallel safe as $$
  select case entity
    when 'users' then
      '{email,name,external_id,country,locale,time_zone,company,address,region,vat_number}'::text[]
    when 'user_notes' then '{text}'::text[]
    when 'identities' then '{subject}'::text[]
    when 'passkeys' then '{name}'::text[]
    when 'transactions' then '{reason,note}'::text[]
    when 'approvals' then '{summary,facts,reason,answer}'::text[]
    when 'exports' then '{query}'::text[]
  end
$$;

alter table audit_entries
  drop constraint audit_entries_personal,
  add constraint audit_entries_personal check (cardinality(personal) <= 16) not valid;

-- Entries with up to 8 personal columns keep their digest.
create or replace function audit_personal_digest(entry audit_entries, salt bytea) returns bytea
language sql stable parallel safe as $$
  select sha256(salt || convert_to(case when entry.personal is null
    then row(entry.actor_name, entry.address, entry.reason)::text
    when cardinality(entry.personal) <= 8
    then row(entry.actor_name, entry.address, entry.reason,
      entry.before -> entry.personal[1], entry.after -> entry.personal[1],
      entry.before -> entry.personal[2], entry.after -> entry.personal[2],
      entry.before -> entry.personal[3], entry.after -> entry.personal[3],
      entry.before -> entry.personal[4], entry.after -> entry.personal[4],
      entry.before -> entry.personal[5], entry.after -> entry.personal[5],
      entry.before -> entry.personal[6], entry.after -> entry.personal[6],
      entry.before -> entry.personal[7], entry.after -> entry.personal[7],
      entry.before -> entry.personal[8], entry.after -> entry.personal[8])::text
    else row(entry.actor_name, entry.address, entry.reason,
      entry.before -> entry.personal[1], entry.after -> entry.personal[1],
      entry.before -> entry.personal[2], entry.after -> entry.personal[2],
      entry.before -> entry.personal[3], entry.after -> entry.personal[3],
      entry.before -> entry.personal[4], entry.after -> entry.personal[4],
      entry.before -> entry.personal[5], entry.after -> entry.personal[5],
      entry.before -> entry.personal[6], entry.after -> entry.personal[6],
      entry.before -> entry.personal[7], entry.after -> entry.personal[7],
      entry.before -> entry.personal[8], entry.after -> entry.personal[8],
      entry.before -> entry.personal[9], entry.after -> entry.personal[9],
      entry.before -> entry.personal[10], entry.after -> entry.personal[10],
      entry.before -> entry.personal[11], entry.after -> entry.personal[11],
      entry.before -> entry.personal[12], entry.after -> entry.personal[12],
      entry.before -> entry.personal[13], entry.after -> entry.personal[13],
      entry.before -> entry.personal[14], entry.after -> entry.personal[14],
      entry.before -> entry.personal[15], entry.after -> entry.personal[15],
      entry.before -> entry.personal[16], entry.after -> entry.personal[16])::text
  end, 'UTF8'))
$$;

-- Erasing who made a change must not erase the address of the customer that was changed.
create or replace function audit_erased(entry audit_entries, columns text[], with_reason boolean, with_actor boolean)
returns audit_entries language plpgsql stable set search_path = public, pg_temp as $$
begin
  if with_actor then
    entry.actor_name := 'erased';
    entry.address := null;
  else
    entry.before := audit_erase(entry.before, columns);
    entry.after := audit_erase(entry.after, columns);
  end if;
  if with_reason and entry.reason is not null then entry.reason := 'erased'; end if;
  return entry;
end
$$;

create or replace function erase_person(people uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  names text[] := words_of(people, false);
  unique_words text[] := words_of(people, true);
  theirs uuid[] := array(
    select id from transactions where user_id = any (people)
    union all select id from subscriptions where user_id = any (people)
    union all select id from user_notes where user_id = any (people)
    union all select id from grants where user_id = any (people));
  -- The reason of an approved action names who requested it.
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
  -- The reason may name the customer, and every following entry would repeat it.
  if mentions(current_setting('purser.reason', true), names) then
    perform set_config('purser.reason', 'erased', true);
  end if;

  update users set email = 'erased-' || id || '@erased.invalid', name = 'Erased person', external_id = null,
    company = null, address = null, region = null, country = null, vat_number = null, locale = null, time_zone = null,
    status = 'erased'
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
  -- Saved views that search for them.
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
  -- Notifications about their payments, and unmatched ones that contain their address.
  update provider_events p set body = '{"erased":true}', words = null, next_try_at = null,
    outcome = case when outcome in ('waiting', 'unmatched') then 'ignored' else outcome end
  where p.id in (
    select id from provider_events where outcome in ('waiting', 'unmatched') and points_at(body, unique_words)
    union all
    select e.id from transactions t join provider_events e on e.transaction_id = t.id where t.user_id = any (people)
    union all
    select e.id from transactions t join provider_events e on e.provider = t.provider and e.payment = t.reference
    where t.user_id = any (people));

  -- Approval requests that name them expire.
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
    perform audit_redact('users', noted, audit_personal('users'));
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
  -- Sign-in methods of a former team member.
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

  -- Reasons: in the customer's own records by any of their names, in all others only by what is unique to them.
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
