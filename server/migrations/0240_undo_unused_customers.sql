-- Undoing an import erased all customers that the import had created, even those with payments, access or notes: `id`
-- was the one of the other table, which is never the customer's. It also erased those who had used a feature without a
-- package, and those into whom another customer had been merged. All of them are kept now.
create or replace function undo_imported_customers(import uuid, after integer, until integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  customers uuid[] := array(
    select u.id from import_results r join users u on u.id = r.record_id
    where r.import_id = import and r.row > after and r.row <= until and r.outcome = 'new'
      and u.version = 1 and u.role is null and u.status = 'active'
    order by u.id for update of u);
  customer uuid;
begin
  customers := array(
    select chosen.id from unnest(customers) as chosen (id)
    where not exists (select from transactions t where t.user_id = chosen.id)
      and not exists (select from subscriptions s where s.user_id = chosen.id)
      and not exists (select from grants g where g.user_id = chosen.id)
      and not exists (select from balances b where b.user_id = chosen.id)
      and not exists (select from user_notes n where n.user_id = chosen.id)
      and not exists (select from promotion_people p where p.user_id = chosen.id)
      and not exists (select from users o where o.merged_into = chosen.id)
      and not exists (select from feature_use f where f.user_id = chosen.id)
      and not exists (select from usage_days d where d.user_id = chosen.id));
  update users set email = 'erased-' || id || '@erased.invalid', name = 'Erased person', external_id = null,
    company = null, address = null, region = null, country = null, vat_number = null, locale = null, time_zone = null,
    status = 'erased'
  where id = any (customers);
  foreach customer in array customers loop
    perform audit_redact('users', customer, audit_personal('users'));
  end loop;
  return cardinality(customers);
end
$$;
