import { setTimeout as wait } from "node:timers/promises";

type Sent = { path: string; headers?: Record<string, string>; body?: object };
export type Answers = { times: number[]; statuses: Map<number, number> };

/** How one kind of caller behaves: what it sends, and how long it pauses. */
export type Caller = { send: (round: number) => Sent; pauseMs: number };

const give = async (origin: string, { path, headers, body }: Sent) => {
  const response = await fetch(`${origin}/api${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      origin: "http://localhost:3000",
      ...headers,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after") ?? 0) };
};

/** Sends one request after another until the time is over. */
export const callUntil = async (origin: string, { send, pauseMs }: Caller, endsAt: number) => {
  const answers: Answers = { times: [], statuses: new Map() };
  for (let round = 0; performance.now() < endsAt; round += 1) {
    const start = performance.now();
    const { status } = await give(origin, send(round)).catch(() => ({ status: 0 }));
    answers.times.push(performance.now() - start);
    answers.statuses.set(status, (answers.statuses.get(status) ?? 0) + 1);
    await wait(pauseMs);
  }
  return answers;
};

/** Many requests of one user at the same time, each repeated as soon as it is answered or may be repeated. */
export const crowdUntil = async (origin: string, send: () => Sent, endsAt: number) => {
  const statuses = new Map<number, number>();
  const parallel = 60;
  const one = async () => {
    while (performance.now() < endsAt) {
      const { status, retryAfter } = await give(origin, send()).catch(() => ({
        status: 0,
        retryAfter: 0,
      }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) await wait(Math.max(retryAfter, 0.1) * 1000);
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return statuses;
};

/** The answers of several rounds. */
export const together = (rounds: Answers[]): Answers => {
  const statuses = new Map<number, number>();
  for (const round of rounds)
    for (const [status, count] of round.statuses)
      statuses.set(status, (statuses.get(status) ?? 0) + count);
  return { times: rounds.flatMap(({ times }) => times), statuses };
};

export const refusedIn = ({ statuses }: Answers) =>
  [...statuses].reduce((sum, [status, count]) => (status === 200 ? sum : sum + count), 0);

export const shownStatuses = (statuses: Map<number, number>) =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
