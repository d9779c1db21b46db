import type { Check, Environment } from "./types.ts";

type Request = { path: string; query: URLSearchParams; body: unknown; headers: Headers };
type Respond = (request: Request) => Promise<Response> | Response;

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

export const checkOf = (code: string, more: Partial<Check> = {}): Check => ({
  feature: { code, kind: "metered" },
  allowed: true,
  reason: "granted",
  value: 10,
  limit: 10,
  used: 0,
  remaining: 10,
  resetsAt: null,
  grants: [],
  asOf: "2026-03-01T09:00:00.000Z",
  fallback: "last known",
  maxAgeSeconds: 5,
  staleIfErrorSeconds: 600,
  version: 1,
  enforcement: "hard",
  ...more,
});

/** A server whose answers the test chooses, and a clock that the test moves. */
export const fakeServer = (respond: Respond) => {
  let elapsedMs = 0;
  let skewMs = 0;
  const asked: string[] = [];
  const waits: number[] = [];
  const state = { respond };
  const environment: Environment = {
    fetch: async (url, init) => {
      const { pathname, searchParams, search } = new URL(String(url));
      const path = pathname.replace("/api/v1", "");
      asked.push(`${path}${decodeURIComponent(search)}`);
      const { body, headers, signal } = init ?? {};
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      });
      aborted.catch(() => undefined);
      const request = {
        path,
        query: searchParams,
        body: typeof body === "string" ? JSON.parse(body) : undefined,
        headers: new Headers(headers),
      };
      return Promise.race([state.respond(request), aborted]);
    },
    now: () => Date.parse("2026-03-01T09:00:00Z") + elapsedMs + skewMs,
    elapsed: () => elapsedMs,
    random: () => 0.5,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      elapsedMs += milliseconds;
    },
  };
  return {
    environment,
    asked,
    waits,
    /** Passes time, in seconds. */
    pass: (seconds: number) => {
      elapsedMs += seconds * 1000;
    },
    /** Sets the clock of this machine forward, or back. */
    skew: (seconds: number) => {
      skewMs = seconds * 1000;
    },
    answer: (next: Respond) => {
      state.respond = next;
    },
  };
};

export const unreachable: Respond = () => {
  throw new TypeError("fetch failed");
};
