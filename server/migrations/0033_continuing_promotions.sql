-- A promotion that lasts continues in the subscription that replaces another one. Payments before the change count
-- too, so that they begin before the first payment of the new subscription.
alter table redemptions
  drop constraint redemptions_since,
  add constraint redemptions_since check (since > -1000) not valid;

create or replace function keep_redemption() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if to_jsonb(old) - '{returned_at,subscription_id,since}'::text[] is distinct from
      to_jsonb(new) - '{returned_at,subscription_id,since}'::text[]
    or old.returned_at is not null
    or old.since <> new.since and old.subscription_id is not distinct from new.subscription_id then
    raise exception 'Redemptions can''t be edited, only restored.'
      using errcode = 'check_violation', constraint = 'problem_frozen__redemption_immutable';
  end if;
  return new;
end
$$;
