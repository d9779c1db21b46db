/**
 * The features of the app. `purser types` writes a file that fills it, so that an unknown code is a type error.
 * Without that file, every code is accepted.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps extend it, which only an interface allows.
export interface Register {}

type Registered = Register extends { features: infer Features } ? Features : Record<string, Value>;

export type Value = boolean | number | string;
export type FeatureCode = keyof Registered & string;
export type ValueOf<Code extends string> = Code extends keyof Registered ? Registered[Code] : Value;

/** What applies while Purser can't be reached. */
export type Fallback = "last known" | "allow" | "deny";

export type Reason =
  | "granted"
  | "default"
  | "unlimited"
  | "over soft limit"
  | "unknown feature"
  | "feature archived"
  | "app inactive"
  | "app suspended"
  | "customer suspended"
  | "customer erased"
  | "not included"
  | "not started"
  | "expired"
  | "revoked"
  | "payment overdue"
  | "paused"
  | "limit reached"
  | "amount exceeds remaining";

/** An answer of `GET /check`. Times are ISO strings. */
export type Check<Code extends string = string> = {
  feature: { code: Code; kind: "switch" | "limit" | "metered" | "choice" };
  allowed: boolean;
  reason: Reason;
  /** Null if the customer has no access at all. */
  value: ValueOf<Code> | null;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: string | null;
  grants: {
    id: string;
    source: string;
    package: string | null;
    value: Value;
    endsAt: string | null;
  }[];
  asOf: string;
  fallback?: Fallback;
  /** How long the answer can be used without another request. */
  maxAgeSeconds?: number;
  /** How long it can be used while Purser can't be reached. */
  staleIfErrorSeconds?: number;
  version?: number;
  enforcement?: "hard" | "soft";
};

/** Where an answer comes from. All but `server` and `cache` are used only while Purser can't be reached. */
export type Source = "server" | "cache" | "last known" | "lease" | "snapshot" | "fallback";

export type Answer<Code extends string = string> = Omit<Check<Code>, "reason"> & {
  reason: Reason | "unreachable";
  source: Source;
};

export type UsageResult = "recorded" | "duplicate" | "refused";

export type Consumed<Code extends string = string> = Answer<Code> & {
  /**
   * `buffered` if Purser can't be reached: the usage is sent later, and counted once. `leased` if it is taken from a
   * lease, which is settled later.
   */
  result: UsageResult | "buffered" | "leased";
};

export type Reservation = {
  id: string;
  status: "open" | "confirmed" | "released" | "expired";
  amount: number;
  confirmed: number | null;
  expiresAt: string;
};

export type UsageEvent = {
  id: string;
  user: string;
  feature: string;
  amount: number;
  /** When it happened, by the clock of this machine. */
  at: string;
};

/** Keeps usage that wasn't sent yet. */
export type UsageStorage = {
  load: () => UsageEvent[];
  add: (event: UsageEvent) => void;
  remove: (ids: readonly string[]) => void;
};

/** Where time and randomness come from. Tests replace them. */
export type Environment = {
  fetch: typeof fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds of a clock that never jumps. */
  elapsed: () => number;
  random: () => number;
  sleep: (milliseconds: number) => Promise<void>;
};

export type Refused = { event: UsageEvent; reason: string };

export type Options = {
  /** The URL of Purser, such as `https://purser.example.com`. */
  url: string;
  /** A server key, or in browsers a publishable key with `token`. */
  key: string;
  /** Returns a customer token from your server. Required with a publishable key. */
  token?: (user: string) => string | Promise<string>;
  /** The longest time that a call takes with all its attempts. By default 2,000. */
  timeoutMs?: number;
  /** Attempts after the first one. By default 2. */
  retries?: number;
  /** Consecutive failures after which requests are paused. By default 5. */
  failuresMax?: number;
  /** The longest pause after failures. By default 30,000. */
  pauseMsMax?: number;
  /** The number of customers whose answers are cached. By default 10,000. */
  customersMax?: number;
  /**
   * How long an expired answer is returned once more while a new one is requested. By default 0. A change can then take
   * as much longer.
   */
  staleWhileRevalidateSeconds?: number;
  /** What applies while Purser can't be reached and has never answered for the feature. By default `deny`. */
  fallbacks?: Partial<Record<FeatureCode, "allow" | "deny">>;
  /** Receives changes from Purser, so that answers are renewed at once. Requires a server key. */
  live?: boolean;
  /** Keeps unsent usage over a restart. By default it is kept in memory. */
  storage?: UsageStorage;
  /** How often usage is sent. By default 1,000. */
  flushMs?: number;
  /** The number of unsent events that are kept. By default 100,000. */
  bufferMax?: number;
  /** Called for events that Purser doesn't count, such as those above a hard limit. */
  onRefused?: (refused: Refused) => void;
  /** Called for failures in the background. */
  onError?: (error: Error) => void;
  environment?: Partial<Environment>;
};
