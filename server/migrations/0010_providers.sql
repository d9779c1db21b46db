-- What payment providers tell, as it came in: the bytes that were signed, kept whatever becomes of them.
create table provider_events (
  id uuid constraint provider_events_pkey primary key default uuid_v7(),
  provider text not null constraint provider_events_provider check (provider ~ '^[a-z][a-z0-9-]{1,39}$'),
  -- The provider's own number of it: what makes a repeat a repeat.
  event_id text not null constraint provider_events_event_id check (length(event_id) between 1 and 200),
  type text not null constraint provider_events_type check (length(type) between 1 and 100),
  -- The payment that it is about, as the provider calls it; null where it is about none.
  payment text constraint provider_events_payment check (length(payment) <= 200),
  body text not null,
  -- When it happened there, and when it was told here.
  at timestamptz not null,
  received_at timestamptz not null default now(),
  outcome text not null default 'waiting' constraint provider_events_outcome
    check (outcome in ('waiting', 'applied', 'ignored', 'unmatched')),
  -- What was made of it, in words.
  words text constraint provider_events_words check (length(words) <= 500),
  tries integer not null default 0,
  next_try_at timestamptz,
  transaction_id uuid constraint provider_events_transaction references transactions (id)
);

create unique index provider_events_told_once on provider_events (provider, event_id);
-- What else was told about the same payment.
create index provider_events_of_payment on provider_events (provider, payment) where payment is not null;
create index provider_events_waiting on provider_events (next_try_at) where outcome = 'waiting';
create index provider_events_unmatched on provider_events (received_at desc, id desc) where outcome = 'unmatched';
create index provider_events_of on provider_events (transaction_id) where transaction_id is not null;
grant select, insert, update on provider_events to purser_app;

create function keep_provider_event() returns trigger language plpgsql
set search_path = public, pg_temp as $$
begin
  if (old.provider, old.event_id, old.type, old.payment, old.body, old.at, old.received_at)
    is distinct from (new.provider, new.event_id, new.type, new.payment, new.body, new.at, new.received_at)
    or (old.outcome in ('applied', 'ignored') and new.outcome <> old.outcome) then
    raise exception 'What a provider told stays as it came in.'
      using errcode = 'check_violation', constraint = 'problem_frozen';
  end if;
  return new;
end
$$;
create trigger provider_events_keep before update on provider_events
  for each row execute function keep_provider_event();

-- How often a provider was asked about a payment that hangs, and when it is asked next.
create table reconciliations (
  transaction_id uuid constraint reconciliations_pkey primary key
    constraint reconciliations_transaction references transactions (id) on delete cascade,
  asked integer not null default 0,
  last_at timestamptz not null,
  last_answer text not null constraint reconciliations_answer check (length(last_answer) <= 500),
  -- Null once nobody asks any more.
  next_at timestamptz
);
create index reconciliations_due on reconciliations (next_at) where next_at is not null;
grant select, insert, update on reconciliations to purser_app;
