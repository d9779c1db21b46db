import { type Client, createClient } from "./client.ts";
import type { Check, FeatureCode, Options, UsageEvent, Value } from "./types.ts";

type Given = Partial<Pick<Check, "allowed" | "reason" | "limit" | "used" | "enforcement">> & {
  value?: Value;
};

/** A value, or the parts of an answer that matter to the test. */
export type TestFeature = Value | Given;
export type TestFeatures = Partial<Record<FeatureCode, TestFeature>>;

const kindOf = (value: Value, limit: number | null) => {
  if (limit !== null || typeof value === "number" || value === "unlimited") return "metered";
  return typeof value === "boolean" ? "switch" : "choice";
};

const checkOf = (code: string, given: TestFeature, used: number, amount: number): Check => {
  const parts: Given = typeof given === "object" ? given : { value: given };
  const { enforcement = "hard" } = parts;
  const value = parts.value ?? parts.limit ?? true;
  const limit = parts.limit ?? (typeof value === "number" ? value : null);
  const total = used + (parts.used ?? 0);
  const remaining = limit === null ? null : Math.max(0, limit - total);
  const fits = remaining === null || remaining >= amount || enforcement === "soft";
  const allowed = parts.allowed ?? (value !== false && fits);
  const refusal = value === false || remaining === null ? "not included" : "limit reached";
  return {
    feature: { code, kind: kindOf(value, limit) },
    allowed,
    reason: parts.reason ?? (allowed ? "granted" : refusal),
    value,
    limit,
    used: limit === null ? null : total,
    remaining,
    resetsAt: null,
    grants: [],
    asOf: new Date().toISOString(),
    maxAgeSeconds: 0,
    enforcement,
  };
};

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

type Use = { id: string; user: string; feature: string; amount: number };

/** Answers requests of a client like Purser would. Everyone has the same features unless `set` says otherwise. */
const createTestServer = (features: Record<string, TestFeature | undefined>) => {
  const ofCustomers = new Map<string, Record<string, TestFeature | undefined>>();
  const events = new Map<string, Use>();
  const reservations = new Map<string, Use & { status: string }>();
  let isReachable = true;

  const featuresOf = (user: string) => ({ ...features, ...ofCustomers.get(user) });
  const usedBy = (user: string, code: string) =>
    [...events.values(), ...[...reservations.values()].filter(({ status }) => status === "open")]
      .filter((use) => use.user === user && use.feature === code)
      .reduce((sum, { amount }) => sum + amount, 0);
  const checkFor = (user: string, code: string, amount = 1) => {
    const given = featuresOf(user)[code];
    return given === undefined ? null : checkOf(code, given, usedBy(user, code), amount);
  };
  const unknown = (code: string) =>
    json({ type: "urn:purser:problem:not_found", detail: `This app has no feature ${code}.` }, 404);

  const consume = (use: Use) => {
    const result = events.has(use.id) ? "duplicate" : "recorded";
    const before = checkFor(use.user, use.feature, use.amount);
    if (!before) return unknown(use.feature);
    if (result === "recorded" && !before.allowed) return json({ ...before, result: "refused" });
    events.set(use.id, use);
    return json({ ...checkFor(use.user, use.feature), allowed: true, reason: "granted", result });
  };

  const reserve = (use: Use) => {
    const answer = checkFor(use.user, use.feature, use.amount);
    if (!answer) return unknown(use.feature);
    const known = reservations.get(use.id);
    if (!known && !answer.allowed) return json({ answer, reservation: null });
    const { id, amount, status } = known ?? { ...use, status: "open" };
    reservations.set(id, known ?? { ...use, status });
    const expiresAt = new Date(Date.now() + 300_000).toISOString();
    return json({ answer, reservation: { id, status, amount, confirmed: null, expiresAt } });
  };

  const settle = (id: string, status: "confirmed" | "released", given?: number) => {
    const held = reservations.get(id);
    if (held?.status !== "open") return json({ type: "urn:purser:problem:wrong_state" }, 409);
    const amount = given ?? held.amount;
    held.status = status;
    if (status === "confirmed") events.set(id, { ...held, amount });
    const confirmed = status === "confirmed" ? amount : null;
    const expiresAt = new Date().toISOString();
    return json({ id, status, amount: held.amount, confirmed, expiresAt });
  };

  const record = (reported: Use[]) => {
    const items = reported.map((event) => {
      const result = events.has(event.id) ? "duplicate" : "recorded";
      events.set(event.id, event);
      return { id: event.id, result, reason: null };
    });
    return json({ items });
  };

  const check = (query: URLSearchParams) => {
    const [user = "", code = ""] = ["user", "feature"].map((name) => query.get(name) ?? "");
    const found = checkFor(user, code, Number(query.get("amount") ?? 1));
    return found ? json(found) : unknown(code);
  };

  const checkAll = (query: URLSearchParams) => {
    const user = query.get("user") ?? "";
    return json({ items: Object.keys(featuresOf(user)).map((code) => checkFor(user, code)) });
  };

  const routes: [RegExp, (query: URLSearchParams, body: unknown, id: string) => Response][] = [
    [/\/check$/, check],
    [/\/check\/all$/, checkAll],
    [/\/usage$/, (_, body) => record((body as { events: Use[] }).events)],
    [/\/usage\/consume$/, (_, body) => consume(body as Use)],
    [/\/usage\/reservations$/, (_, body) => reserve(body as Use)],
    [
      /\/usage\/reservations\/([^/]+)\/confirm$/,
      (_, body, id) => settle(id, "confirmed", (body as { amount?: number }).amount),
    ],
    [/\/usage\/reservations\/([^/]+)\/release$/, (_, __, id) => settle(id, "released")],
  ];

  const answer = ({ pathname, searchParams }: URL, body: unknown): Response => {
    for (const [path, handle] of routes) {
      const found = path.exec(pathname);
      if (found) return handle(searchParams, body, found[1] ?? "");
    }
    return json({ type: "urn:purser:problem:not_found" }, 404);
  };

  return {
    events,
    ofCustomers,
    setReachable: (next: boolean) => {
      isReachable = next;
    },
    fetch: async (url: unknown, { body }: { body?: unknown } = {}) => {
      if (!isReachable) throw new TypeError("fetch failed");
      return answer(new URL(String(url)), typeof body === "string" ? JSON.parse(body) : undefined);
    },
  };
};

export type TestClient = Client & {
  /** Gives one customer other features than everyone. */
  set: (user: string, features: TestFeatures) => void;
  /** The usage that was recorded and consumed. */
  recorded: () => UsageEvent[];
  /** Simulates that Purser can't be reached. */
  setReachable: (isReachable: boolean) => void;
};

/** A client without a server, for tests of an app. Unknown features are refused as Purser does. */
export const createTestClient = (
  features: TestFeatures,
  options: Partial<Options> = {},
): TestClient => {
  const server = createTestServer(features as Record<string, TestFeature | undefined>);
  const client = createClient({
    url: "http://purser.test",
    key: "test",
    retries: 0,
    staleWhileRevalidateSeconds: 0,
    ...options,
    environment: { fetch: server.fetch as typeof fetch, ...options.environment },
  });
  return {
    ...client,
    set: (user, own) => {
      server.ofCustomers.set(user, own as Record<string, TestFeature | undefined>);
      client.invalidate([user]);
    },
    recorded: () => [...server.events.values()] as UsageEvent[],
    setReachable: server.setReachable,
  };
};
