-- The values that 0.5.0 renames in the API. The audit log keeps the old ones, except in the entries of this update.
select set_config('purser.actor_kind', 'system', true), set_config('purser.actor_name', 'update to 0.5.0', true);

-- The source staff of a grant is now manual. Grants can't be edited, and a change of theirs is an event for webhook
-- endpoints, so this is done without triggers. Events of before keep the old value.
alter table grants drop constraint grants_source, drop constraint grants_explained;
drop trigger audit_insert on grants;
alter table grants disable trigger user;
update grants set source = 'manual' where source = 'staff';
alter table grants enable trigger user;
alter table grants
  add constraint grants_source check (source in ('transaction', 'trial', 'promotion', 'import', 'manual')),
  add constraint grants_explained check (source <> 'manual' or reason is not null);

-- Announces changes of grants as such.
alter function audit_staff_grant() rename to audit_grant;
create or replace function audit_grant() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  announced text := coalesce(current_setting('purser.changed', true), '');
  touched text;
begin
  insert into audit_entries (entity, record_id, action, before, after)
  values ('grants', new.id, lower(tg_op), case tg_op when 'UPDATE' then to_jsonb(old) end, to_jsonb(new));
  foreach touched in array array['packages:' || new.package_id || ':update', 'grants:' || new.user_id || ':update'] loop
    if touched is not null and length(announced) < 3000 and position(touched in announced) = 0 then
      announced := ltrim(announced || ' ' || touched);
      perform set_config('purser.changed', announced, true);
    end if;
  end loop;
  return null;
end
$$;
create trigger audit_insert after insert on grants for each row
  when (new.source = 'manual' or new.moved_from is not null) execute function audit_grant();

-- The terms of a redeemed promotion can't change, but this is only another name for the same duration.
alter table promotions drop constraint promotions_duration;
alter table promotions disable trigger promotions_keep_used;
update promotions set duration = 'forever' where duration = 'for ever';
alter table promotions enable trigger promotions_keep_used;
alter table promotions add constraint promotions_duration check (duration in ('once', 'periods', 'forever'));

alter table rollout_moves drop constraint rollout_moves_outcome;
update rollout_moves set outcome = case outcome when 'moved' then 'migrated' else 'kept' end
where outcome in ('moved', 'stays');
alter table rollout_moves add constraint rollout_moves_outcome check (outcome in ('migrated', 'at renewal', 'kept'));

alter table webhook_deliveries drop constraint webhook_deliveries_state;
drop index webhook_deliveries_given_up;
update webhook_deliveries set state = 'failed' where state = 'given up';
alter table webhook_deliveries add constraint webhook_deliveries_state
  check (state in ('waiting', 'delivered', 'failed'));
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, id) where state = 'failed';

alter table transaction_events drop constraint transaction_events_type;
update transaction_events set type = 'authorized' where type = 'authorised';
alter table transaction_events add constraint transaction_events_type check (type in
  ('created', 'submitted', 'authorized', 'succeeded', 'failed', 'unknown', 'canceled', 'voided', 'disputed',
   'dispute won', 'dispute lost'));

-- Simulations are kept for a few days and store old field names. They can be run again.
delete from promotion_replays;

-- Columns, filters and sorting of lists.
update preferences set value = regexp_replace(regexp_replace(regexp_replace(regexp_replace(value::text,
  '"id": "holders"', '"id": "subscribers"', 'g'),
  '"id": "uses"', '"id": "redemptions"', 'g'),
  '"uses:([a-z]+)', '"redemptions:\1', 'g'),
  '"sort": "(-?)uses"', '"sort": "\1redemptions"', 'g')::jsonb
where value::text ~ '"(holders|-?uses)[":]';

-- Unsaved changes in forms.
create function pg_temp.renamed(typed jsonb) returns jsonb language sql as $$
  select jsonb_object_agg(
    case field when 'maxUses' then 'redemptionLimit' when 'maxUsesPerUser' then 'redemptionLimitPerCustomer'
      when 'needsCode' then 'requiresCode' when 'returnsUse' then 'restoresRedemption' when 'people' then 'customers'
      else field end,
    case when field = 'duration' and given = '"for ever"' then '"forever"' else given end)
  from jsonb_each(typed) as fields (field, given)
$$;
update drafts set base = coalesce(pg_temp.renamed(base), '{}'), value = coalesce(pg_temp.renamed(value), '{}')
where form ~ '^promotions-';
drop function pg_temp.renamed(jsonb);

select set_config('purser.actor_kind', '', true), set_config('purser.actor_name', '', true);
