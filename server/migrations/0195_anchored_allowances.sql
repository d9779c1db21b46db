-- Where the periods of a metered feature start: on the calendar, as until now, or with the customer's paid period.
-- Counters keep their starts. The previous release counts by the calendar, so choose the subscription only when all
-- instances are updated.
alter table features add column anchor text not null default 'calendar';
alter table features
  add constraint features_anchor check (anchor in ('calendar', 'subscription')) not valid,
  add constraint features_anchored check (anchor = 'calendar' or reset in ('day', 'week', 'month', 'year')) not valid;

-- What a published version promises of a feature can't change, now also where its periods start.
create or replace function keep_used_feature() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (old.code, old.kind, old.unit_one, old.unit_many, old.reset, old.anchor, old.combining)
    is not distinct from (new.code, new.kind, new.unit_one, new.unit_many, new.reset, new.anchor, new.combining)
    and old.options = new.options then
    return new;
  end if;
  if exists (
    select from version_values held join package_versions v on v.id = held.version_id
    where held.feature_id = old.id and (
      (v.state <> 'draft' and (old.code, old.kind, old.unit_one, old.unit_many, old.reset, old.anchor, old.combining)
        is distinct from (new.code, new.kind, new.unit_one, new.unit_many, new.reset, new.anchor, new.combining))
      or not value_fits(new.kind, new.options, held.value)
    )
  ) or exists (
    -- Used options keep their order, because the higher one wins.
    select from (
      select p.place, lag(p.place) over (order by o.place) as before
      from jsonb_array_elements(old.options) with ordinality o (option, place)
      join jsonb_array_elements(new.options) with ordinality p (option, place)
        on p.option ->> 'code' = o.option ->> 'code'
      where exists (
        select from version_values held join package_versions v on v.id = held.version_id
        where held.feature_id = old.id and v.state <> 'draft' and held.value = o.option -> 'code'
      )
    ) used where before > place
  ) then
    raise exception 'Packages include this feature. Its code, type, unit, reset interval, start of periods, rule for several packages and used options can''t be changed.'
      using errcode = 'check_violation', constraint = 'problem_frozen__feature_in_use';
  end if;
  return new;
end
$$;
