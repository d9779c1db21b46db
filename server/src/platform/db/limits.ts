import type { PoolName } from "@purser/contract/http/endpoint";

/** How long a statement of each pool can take. Lists that take longer need a narrower filter. */
const statementMs: Record<PoolName, number> = { checks: 5000, writes: 5000, reads: 2000 };

const lockMs = 4000;
const idleMs = 15_000;

type Setting = readonly [name: string, value: string];

/** What every connection of the application needs. */
const common: readonly Setting[] = [
  // The application gives up the privileges of its login. Even with the login of a superuser it can only do what the
  // migrations grant.
  ["role", "purser_app"],
  ["timezone", "UTC"],
  // Compiling takes longer than any of our statements runs.
  ["jit", "off"],
  ["lock_timeout", String(lockMs)],
  ["idle_in_transaction_session_timeout", String(idleMs)],
];

const own = (pool: PoolName): readonly Setting[] => [
  ["statement_timeout", String(statementMs[pool])],
  // A list that uses several processes would slow down all others.
  ...(pool === "reads" ? [["max_parallel_workers_per_gather", "0"] as const] : []),
];

const set = (settings: readonly Setting[], scope: "session" | "transaction") => {
  const isLocal = scope === "transaction";
  return `select ${settings.map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`).join(", ")}`;
};

const isWithin = (name: string, ms: number) =>
  `current_setting('${name}')::interval between interval '1 ms' and interval '${ms} ms'`;

/** A fault, and the condition under which there is none. */
const settingFaults = [
  [`format('the role is %s instead of purser_app', current_user)`, "current_user = 'purser_app'"],
  ["'the time zone is not UTC'", "current_setting('timezone') = 'UTC'"],
  ...Object.entries({
    statement_timeout: statementMs.writes,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  }).map(([name, ms]) => [`'${name} is not between 1 and ${ms} ms'`, isWithin(name, ms)] as const),
] as const;

const rightFaults = [
  [
    "'the role has attributes such as superuser'",
    `not exists (select from pg_roles where rolname = current_user
       and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication))`,
  ],
  [
    "'the role owns tables, or is a member of their owner'",
    `not exists (select from pg_class where relnamespace = 'public'::regnamespace
       and pg_has_role(current_user, relowner, 'member'))`,
  ],
] as const;

/** SQLSTATE of a connection that the application must not use. */
export const connectionRefused = "28000";

const assertNone = (faults: readonly (readonly [string, string])[]) => {
  const cases = faults.map(([fault, holds]) => `case when not (${holds}) then ${fault} end`);
  return `do $assert$ declare faults text := concat_ws(', ', ${cases.join(", ")}); begin
    if faults <> '' then
      raise exception 'Purser does not use this database connection: %', faults using errcode = '${connectionRefused}';
    end if;
  end $assert$`;
};

/** Runs once on every new connection, and fails if it has other privileges or limits than it needs. */
export const settingsOfConnection = (pool: PoolName) =>
  `${set([...common, ...own(pool)], "session")}; ${assertNone([...settingFaults, ...rightFaults])}`;

/** The same for a connection whose settings come from the login, because a pooler shares it. */
export const assertLogin = assertNone([...settingFaults, ...rightFaults]);

/** The statements before each transaction of a shared connection. */
export const startOfTransaction = (pool: PoolName) =>
  [assertNone(settingFaults), set(own(pool), "transaction")] as const;
