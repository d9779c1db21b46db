-- IDs of the same millisecond were in random order, and so were the entries of a balance that one action makes. Now the
-- 12 bits after the millisecond are its fraction, as in method 3 of RFC 9562, section 6.2. `at` is used only once, so
-- that PostgreSQL can inline the function.
create or replace function uuid_v7(at timestamptz default clock_timestamp()) returns uuid
language sql volatile parallel safe as $$
  select (
    overlay(lpad(to_hex((extract(epoch from at) * 4096000)::bigint), 15, '0') placing '7' from 13 for 0)
      || right(gen_random_uuid()::text, 17)
  )::uuid
$$;
