alter table grants
  -- The line that pays for it.
  add column line_id uuid,
  add column quantity integer not null default 1,
  add constraint grants_line foreign key (line_id) references transaction_lines (id) not valid,
  add constraint grants_quantity check (quantity between 1 and 1000000) not valid;

-- Links the grants of sales of earlier versions to the lines that pay for them.
create function link_grants(sales uuid[]) returns void language sql security definer
set search_path = public, pg_temp as $$
  update grants g set line_id = l.id from transaction_lines l
  where l.transaction_id = any (sales) and l.position = 0 and g.source = 'transaction'
    and g.source_id = l.transaction_id::text and g.line_id is null
$$;
revoke execute on function link_grants(uuid[]) from public;
grant execute on function link_grants(uuid[]) to purser_app;
