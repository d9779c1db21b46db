-- A promotion as it is written, run over the sales of the past: what it would have cost.
create table promotion_replays (
  id uuid constraint promotion_replays_pkey primary key default uuid_v7(),
  details jsonb not null,
  -- The stored promotion that the details are of, if it was ever saved.
  promotion_id uuid constraint promotion_replays_promotion references promotions (id) on delete cascade,
  from_at timestamptz not null,
  to_at timestamptz not null,
  status text not null default 'running'
    constraint promotion_replays_status check (status in ('running', 'done', 'canceled')),
  -- Sales that were looked at, and up to when: counting them all first would take as long.
  sales integer not null default 0,
  reached_at timestamptz not null,
  result jsonb,
  created_by uuid not null constraint promotion_replays_creator references users (id),
  created_at timestamptz not null default now(),
  constraint promotion_replays_window check (from_at < to_at and reached_at between from_at and to_at),
  constraint promotion_replays_done check ((status = 'done') = (result is not null))
);
create index promotion_replays_by_time on promotion_replays (created_at);
grant select, insert, update, delete on promotion_replays to purser_app;
