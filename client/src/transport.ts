import { isTemporary, isUnreachable, PurserError } from "./error.ts";
import type { Environment, Options } from "./types.ts";

export type Call = {
  method?: "GET" | "POST";
  /** Below `/api/v1`, or with a dot below the URL of Purser. */
  path: string;
  query?: Record<string, string | undefined>;
  body?: unknown;
  /** The customer, for the token of a publishable key. */
  user?: string;
};

/** Waits of random length, so that clients don't all return at the same moment. */
export const backoff = (attempt: number, maxMs: number, random: () => number) =>
  Math.min(maxMs, 100 * 2 ** attempt) * (0.5 + random() / 2);

/** Pauses requests after consecutive failures. Afterwards one request at a time tries again. */
const createBreaker = (
  { failuresMax = 5, pauseMsMax = 30_000 }: Options,
  { elapsed, random }: Environment,
) => {
  let failures = 0;
  let pausedUntil = 0;
  return {
    isOpen: () => failures >= failuresMax && elapsed() < pausedUntil,
    note: (isFailure: boolean) => {
      failures = isFailure ? failures + 1 : 0;
      if (failures >= failuresMax)
        pausedUntil = elapsed() + backoff(4 + failures - failuresMax, pauseMsMax, random);
    },
    /** Others are refused while the first request after the pause is on its way. */
    tryAgain: () => {
      if (failures >= failuresMax) pausedUntil = elapsed() + pauseMsMax;
    },
  };
};

const unreachable = (why: string) =>
  new PurserError("unreachable", `Purser can't be reached: ${why}`);

type Problem = { type?: string; detail?: string; title?: string; reason?: string };

const problemOf = async (response: Response) => {
  const problem = (await response.json().catch(() => null)) as Problem | null;
  const { type = "unreachable", detail, title = "Something went wrong", reason } = problem ?? {};
  const code = reason === "endpoint_not_found" ? "not_supported" : type.replace(/^.*:/, "");
  return new PurserError(code, `${detail ?? title} (${response.status})`, response.status);
};

const urlOf = (base: string, { path, query = {} }: Call) => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const place = path.startsWith("/.") ? path : `/api/v1${path}`;
  return `${base.replace(/\/$/, "")}${place}${given.length ? `?${given.join("&")}` : ""}`;
};

/** Without a connection, the app's own server can't be reached either. */
const newToken = async (token: NonNullable<Options["token"]>, user: string) => {
  try {
    return await token(user);
  } catch (error) {
    throw unreachable(`no customer token (${error})`);
  }
};

export const createTransport = (options: Options, environment: Environment) => {
  const { url, key, token, timeoutMs = 2000, retries = 2 } = options;
  const { random, sleep, elapsed, now } = environment;
  const breaker = createBreaker(options, environment);
  const tokens = new Map<string, string>();
  /** How far the clock of this machine is ahead, once a response has told. */
  let aheadMs: number | undefined;
  /** Whether the missing endpoint was already reported to the app. */
  let isReported = false;

  const headersOf = async ({ body, user }: Call, isRefused: boolean) => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (!token || user === undefined) return headers;
    const given = isRefused ? undefined : tokens.get(user);
    const sent = given ?? (await newToken(token, user));
    tokens.set(user, sent);
    headers["purser-customer-token"] = sent;
    return headers;
  };

  const open = async (call: Call, signal: AbortSignal, isRefused = false): Promise<Response> => {
    const { method = "GET", body } = call;
    const headers = await headersOf(call, isRefused);
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await environment
      .fetch(urlOf(url, call), { method, headers, signal, ...text })
      .catch((error: unknown) => {
        throw unreachable(error instanceof Error ? error.message : String(error));
      });
    const date = Date.parse(response.headers.get("date") ?? "");
    if (date) aheadMs = now() - date;
    // The token has expired, or the key that requested it was revoked.
    if (response.status === 401 && token && !isRefused) return open(call, signal, true);
    if (!response.ok) throw await problemOf(response);
    return response;
  };

  const attempt = async <Reply>(call: Call, signal: AbortSignal): Promise<Reply> => {
    const response = await open(call, signal);
    return response.json().catch(() => {
      throw unreachable("the response is incomplete");
    }) as Promise<Reply>;
  };

  /** Sends a call until it is answered, as often and as long as allowed. */
  const repeat = async <Reply>(call: Call, stop: AbortSignal): Promise<Reply> => {
    const until = elapsed() + timeoutMs;
    for (let tried = 0; ; tried += 1)
      try {
        return await attempt<Reply>(call, stop);
      } catch (error) {
        const waitMs = backoff(tried, 1000, random);
        const isLast = tried >= retries || stop.aborted || elapsed() + waitMs >= until;
        // Another attempt would only add to a limit that is exceeded.
        if (isLast || !isTemporary(error) || error.status === 429) throw error;
        await sleep(waitMs);
      }
  };

  const send = async <Reply>(call: Call): Promise<Reply> => {
    if (breaker.isOpen()) throw unreachable("requests are paused after several failures");
    breaker.tryAgain();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error("timeout")), timeoutMs);
    try {
      const reply = await repeat<Reply>(call, stop.signal);
      breaker.note(false);
      return reply;
    } catch (error) {
      // What an earlier release lacks doesn't keep it from answering the rest.
      breaker.note(isTemporary(error));
      if (!isReported && !isTemporary(error) && isUnreachable(error)) {
        isReported = true;
        options.onError?.(error);
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  return { send, open, aheadMs: () => aheadMs };
};
export type Transport = ReturnType<typeof createTransport>;
