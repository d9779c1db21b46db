import { setTimeout as wait } from "node:timers/promises";

export type Answer = { status: number; code: string | null; body: Record<string, unknown> };

export type Sent = {
  path: string;
  body: object;
  key: string;
  version?: number | undefined;
  /** Sent twice at the same moment, as somebody does who clicks twice. */
  isEchoed?: boolean;
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

const isDefinite = ({ status, code }: Answer) =>
  status !== 503 && status !== 429 && code !== "in_progress";

/** Asks one server and then another until one gives an answer that stays. */
const insist = async (fleet: Fleet, turn: number, ask: (origin: string) => Promise<Answer>) => {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ask(fleet.originOf(turn + attempt)).catch(() => null);
    if (answer && isDefinite(answer)) return { answer, attempts: attempt + 1 };
    if (attempt > 600) throw new Error(`No answer after ${attempt} tries.`);
    await wait(100 + 20 * Math.min(attempt, 20));
  }
};

/** The office as a client sees it, whose every operation has a key and is repeated with it until it is answered. */
export const openOffice = (fleet: Fleet, cookie: string, answerMs: number) => {
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
    (await insist(fleet, turn, (origin) => request(`${origin}/api${path}`))).answer;

  const send = async ({ path, body, key, version, isEchoed = false }: Sent, turn = 0) => {
    const init = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": key,
        ...(version !== undefined && { "if-match": `"${version}"` }),
      },
      body: JSON.stringify(body),
    };
    const one = (first: number) =>
      insist(fleet, first, (origin) => request(`${origin}/api${path}`, init));
    const both = await Promise.all(isEchoed ? [one(turn), one(turn + 1)] : [one(turn)]);
    for (const { attempts } of both) counts.repeats += attempts - 1;
    // Where the first was refused, the second may have been let in meanwhile.
    const { answer } =
      both.find((each) => each.answer.status < 300) ?? both[0] ?? (await one(turn));
    if (answer.status >= 500) counts.failed += 1;
    return answer;
  };

  return { get, send, counts };
};
export type Office = ReturnType<typeof openOffice>;
