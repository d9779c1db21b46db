-- The database plans a function in SQL in each transaction, but one in PL/pgSQL once per connection. Every sale calls
-- these two.
create or replace function transaction_number(counted bigint) returns text language plpgsql immutable parallel safe as $$
declare
  digits constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  spread constant bigint := (counted * 5308417 + 729184273) & 1099511627775;
  number text := 'TX-';
begin
  for place in 0..7 loop
    number := number || case place when 4 then '-' else '' end
      || substr(digits, 1 + ((spread >> 5 * place) & 31)::integer, 1);
  end loop;
  return number;
end
$$;

create or replace function user_number(counted bigint) returns text language plpgsql immutable parallel safe as $$
begin
  return 'US' || substr(transaction_number(counted), 3);
end
$$;

create or replace function webhook_wanted(wanted text) returns boolean language plpgsql stable
set search_path = public, pg_temp as $$
begin
  return exists (select from webhook_endpoints where status = 'active' and wanted = any (types));
end
$$;

-- As before, but a promotion without amounts in the currency doesn't update any, because the triggers of an update take
-- time even without rows, while others wait for the promotion.
create or replace function redeem_promotion(promotion uuid, by_code uuid, person uuid, sale uuid, subscription uuid,
  paid_in text, taken_off bigint, at timestamptz, was_promised boolean)
returns text language plpgsql set search_path = public, pg_temp as $$
declare
  held promotions;
  nth_of_person integer;
begin
  update promotions set uses = uses + 1, first_used_at = coalesce(first_used_at, at)
  where id = promotion and (max_uses is null or uses < max_uses) returning * into held;
  if not found then return 'used up'; end if;
  if not was_promised and (held.published_at is null or held.paused_at is not null or held.archived_at is not null
    or coalesce(held.ends_at, 'infinity') <= at) then return 'stopped'; end if;
  select coalesce(max(nth), 0) + 1 into nth_of_person from redemptions u
  where u.promotion_id = promotion and u.user_id = person and u.returned_at is null;
  if nth_of_person > held.max_uses_per_user then return 'used by the same person'; end if;
  if by_code is not null then
    update promotion_codes set uses = uses + 1 where id = by_code and (max_uses is null or uses < max_uses);
    if not found then return 'used'; end if;
  end if;
  if exists (select from promotion_amounts a where a.promotion_id = promotion and a.currency = paid_in) then
    update promotion_amounts a set given = given + taken_off
    where a.promotion_id = promotion and a.currency = paid_in and (budget is null or given + taken_off <= budget);
    if not found then return 'out of its budget'; end if;
  end if;
  insert into redemptions (promotion_id, code_id, user_id, transaction_id, subscription_id, nth, currency, amount, created_at)
  values (promotion, by_code, person, sale, subscription, nth_of_person, paid_in, taken_off, at);
  return null;
end
$$;

-- Redeems a promotion or fails, for a statement that is sent together with the commit. Others wait for the promotion
-- only while the database executes both.
create function redeem_or_fail(promotion uuid, by_code uuid, person uuid, sale uuid, subscription uuid, paid_in text,
  taken_off bigint, at timestamptz)
returns void language plpgsql set search_path = public, pg_temp as $$
declare
  refusal text := redeem_promotion(promotion, by_code, person, sale, subscription, paid_in, taken_off, at, false);
begin
  if refusal is not null then
    raise exception 'The promotion can''t be redeemed.' using errcode = 'check_violation',
      constraint = 'redemption_refused', detail = jsonb_build_object('promotionId', promotion, 'refusal', refusal);
  end if;
end
$$;
