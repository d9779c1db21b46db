-- The reference of a bank transfer may contain the name or address of who paid: erasing the customer removes it.

create or replace function keep_transaction() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'This transaction can''t be deleted. Void or refund it instead.'
        using errcode = 'check_violation', constraint = 'problem_frozen__transaction_not_deletable';
    end if;
    return old;
  end if;
  if new.reason = 'erased' then old.reason := 'erased'; end if;
  if new.reference = 'erased ' || old.id then old.reference := new.reference; end if;
  if old.state <> new.state and (old.state, new.state) not in (
    ('draft', 'pending'), ('draft', 'succeeded'), ('draft', 'voided'),
    ('pending', 'succeeded'), ('pending', 'failed'), ('pending', 'unknown'), ('pending', 'canceled'),
    ('unknown', 'succeeded'), ('unknown', 'failed'), ('failed', 'succeeded'), ('canceled', 'succeeded'),
    ('unknown', 'canceled'), ('canceled', 'unknown'), ('failed', 'canceled'), ('canceled', 'failed'),
    ('succeeded', 'disputed'), ('disputed', 'succeeded'), ('disputed', 'charged back')
  ) then
    raise exception 'This transaction can''t change to this status.'
      using errcode = 'check_violation', constraint = 'problem_wrong_state__transaction_status_fixed';
  end if;
  -- Only mark_split() changes it, which runs as the owner of the table and checks the amounts.
  if old.is_split <> new.is_split then
    if old.is_split or current_user <> (select pg_get_userbyid(relowner) from pg_class where oid = tg_relid) then
      raise exception 'Only mark_split() splits a transaction.'
        using errcode = 'check_violation', constraint = 'transactions_split';
    end if;
    return new;
  end if;
  if old.number <> new.number or old.created_at <> new.created_at or (old.state <> 'draft' and (
    (old.kind, old.user_id, old.package_id, old.version_id, old.price_id, old.parent_id, old.currency, old.subtotal,
      old.discount, old.tax, old.total, old.balance_amount, old.tax_included, old.changes_id, old.changes_version,
      old.provider, old.occurred_at, old.access, old.reason, old.snapshot)
    is distinct from
    (new.kind, new.user_id, new.package_id, new.version_id, new.price_id, new.parent_id, new.currency, new.subtotal,
      new.discount, new.tax, new.total, new.balance_amount, new.tax_included, new.changes_id, new.changes_version,
      new.provider, new.occurred_at, new.access, new.reason, new.snapshot)
    or old.reference <> new.reference or old.settled_at <> new.settled_at or old.settled_by <> new.settled_by
    or (old.settled_at is not null and (old.subscription_id <> new.subscription_id
      or old.period_start <> new.period_start or old.period_end <> new.period_end))
  )) then
    raise exception 'Transactions can''t be edited. To correct a mistake, refund it or record a new one.'
      using errcode = 'check_violation', constraint = 'problem_frozen__transaction_immutable';
  end if;
  return new;
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
  -- After the notifications, which are found by the reference.
  update transactions set note = case when mentions(note, names) then 'erased' else note end,
    reason = case when mentions(reason, names) then 'erased' else reason end,
    -- With the ID, because references are unique and a manual payment must have one.
    reference = case when mentions(reference, names) then 'erased ' || id else reference end
  where user_id = any (people) and (mentions(note, names) or mentions(reason, names) or mentions(reference, names));
  delete from transaction_references r using transactions t
  where t.id = r.transaction_id and t.user_id = any (people) and mentions(r.reference, names);

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
      and mentions(concat_ws(' ', e.before ->> 'note', e.before ->> 'reason', e.before ->> 'reference',
        e.after ->> 'note', e.after ->> 'reason', e.after ->> 'reference'), names)
  loop
    perform audit_redact('transactions', noted, '{note,reason,reference}');
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
