import { setTimeout as wait } from "node:timers/promises";

export type Answer = { status: number; code: string | null; body: Record<string, unknown> };

export type Sent = {
  path: string;
  body: object;
  key: string;
  version?: number | undefined;
  headers?: Record<string, string>;
  /** Sent twice at the same time, like a double click. */
  isDoubled?: boolean;
};

type Fleet = { originOf: (turn: number) => string };

const codeOf = (body: Record<string, unknown>) =>
  String(body["type"] ?? "")
    .split(":")
    .at(-1) ?? "";

const read = async (response: Response): Promise<Answer> => {
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code: response.ok ? null : codeOf(body), body };
};

const isFinal = ({ status, code }: Answer) =>
  status !== 503 && status !== 429 && code !== "in_progress";

const attemptsMax = 600;

/** Repeats a request at one server after another until the answer is final. */
const retry = async (fleet: Fleet, turn: number, send: (origin: string) => Promise<Answer>) => {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await send(fleet.originOf(turn + attempt)).catch((error: unknown) => error);
    const isAnswer = !(answer instanceof Error);
    if (isAnswer && isFinal(answer as Answer))
      return { answer: answer as Answer, attempts: attempt + 1 };
    if (attempt > attemptsMax) {
      const last = isAnswer ? JSON.stringify(answer) : String(answer);
      throw new Error(`No final answer after ${attempt} attempts. The last one: ${last}`);
    }
    await wait(100 + 20 * Math.min(attempt, 20));
  }
};

/** The API for one client. Every operation has an idempotency key and is repeated with it until it is answered. */
export const createApiClient = (fleet: Fleet, cookie: string, answerMs: number) => {
  const counts = { requests: 0, repeats: 0, replayed: 0, failed: 0 };
  const headers = { cookie, origin: "http://localhost:3000" };
  const request = async (url: string, init: RequestInit = {}) => {
    counts.requests += 1;
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(url, {
      ...init,
      headers: { ...headers, ...init.headers },
      signal,
    });
    if (response.headers.get("idempotent-replayed")) counts.replayed += 1;
    return read(response);
  };

  const get = async (path: string, turn = 0) =>
    (await retry(fleet, turn, (origin) => request(`${origin}/api${path}`))).answer;

  const send = async (
    { path, body, key, version, headers: more = {}, isDoubled = false }: Sent,
    turn = 0,
  ) => {
    const init = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": key,
        ...more,
        ...(version !== undefined && { "if-match": `"${version}"` }),
      },
      body: JSON.stringify(body),
    };
    const one = (first: number) =>
      retry(fleet, first, (origin) => request(`${origin}/api${path}`, init));
    const both = await Promise.all(isDoubled ? [one(turn), one(turn + 1)] : [one(turn)]);
    for (const { attempts } of both) counts.repeats += attempts - 1;
    // If the first was refused, the second may have been accepted.
    const { answer } =
      both.find((each) => each.answer.status < 300) ?? both[0] ?? (await one(turn));
    if (answer.status >= 500) {
      counts.failed += 1;
      console.log(`${path} answered ${answer.status}: ${JSON.stringify({ body, answer })}`);
    }
    return answer;
  };

  return { get, send, counts };
};
export type ApiClient = ReturnType<typeof createApiClient>;
