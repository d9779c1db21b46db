import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

/** One kind of request. Any status but the expected one is a failure. */
export type Kind = {
  path: string;
  status?: number;
  pauseMs?: number;
  headers?: Record<string, string>;
  /** Of a POST request. */
  body?: () => object;
};

type Result = { requests: number; failures: Map<string, number>; slowestMs: number };

const newResult = (): Result => ({ requests: 0, failures: new Map(), slowestMs: 0 });

const send = async (origin: string, { path, headers, body }: Kind) => {
  const response = await fetch(`${origin}${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      origin: "http://localhost:3000",
      ...(body && { "content-type": "application/json", "idempotency-key": randomUUID() }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body()) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, text };
};

/** How a failure differs from others: its status, and the code and detail of the problem. */
const describe = ({ status, text }: { status: number; text: string }) => {
  const code = /"type":\s*"urn:purser:problem:([a-z_]+)"/.exec(text)?.[1];
  const detail = /"detail":\s*"([^"]+)"/.exec(text)?.[1];
  return [status, code, detail].filter(Boolean).join(" ");
};

/** Sends every kind of request one after another, and keeps the results of each phase apart. */
export const startTraffic = (origin: () => string, kinds: Record<string, Kind>) => {
  const phases = new Map<string, Map<string, Result>>();
  let phase = "";
  let isOver = false;
  const begin = (name: string) => {
    phase = name;
    if (!phases.has(name))
      phases.set(name, new Map(Object.keys(kinds).map((kind) => [kind, newResult()])));
  };
  const resultOf = (name: string, kind: string) => phases.get(name)?.get(kind) ?? newResult();
  const one = async (name: string, kind: Kind) => {
    while (!isOver) {
      const startedIn = phase;
      const start = performance.now();
      const answer = await send(origin(), kind).catch((error: Error) => ({
        status: 0,
        text: String(error.cause ?? error),
      }));
      const ms = performance.now() - start;
      const result = resultOf(startedIn, name);
      result.requests += 1;
      // A request that waited for a later phase belongs to both.
      for (const touched of [resultOf(startedIn, name), resultOf(phase, name)])
        touched.slowestMs = Math.max(touched.slowestMs, ms);
      if (answer.status !== (kind.status ?? 200)) {
        const what = answer.status === 0 ? answer.text : describe(answer);
        result.failures.set(what, (result.failures.get(what) ?? 0) + 1);
      }
      await wait(kind.pauseMs ?? 20);
    }
  };
  begin("before");
  const running = Promise.all(Object.entries(kinds).map(([name, kind]) => one(name, kind)));
  return {
    begin,
    stop: async () => {
      isOver = true;
      await running;
    },
    /** The results of a phase by kind, or of all phases together. */
    results: (name?: string) => {
      const wanted = name === undefined ? [...phases.values()] : [phases.get(name) ?? new Map()];
      return Object.keys(kinds).map((kind) => {
        const results = wanted.map((one) => (one.get(kind) as Result | undefined) ?? newResult());
        const failures = new Map<string, number>();
        for (const result of results)
          for (const [what, times] of result.failures)
            failures.set(what, (failures.get(what) ?? 0) + times);
        return {
          kind,
          requests: results.reduce((sum, { requests }) => sum + requests, 0),
          failed: [...failures.values()].reduce((sum, times) => sum + times, 0),
          failures: [...failures].map(([what, times]) => `${times} × ${what}`).join(", "),
          slowestMs: Math.max(...results.map(({ slowestMs }) => slowestMs)),
        };
      });
    },
  };
};
export type Traffic = ReturnType<typeof startTraffic>;

/** One line for each kind of request. */
export const sayResults = (say: (text: string) => void, traffic: Traffic, phase?: string) => {
  for (const { kind, requests, failed, failures, slowestMs } of traffic.results(phase))
    say(
      `${phase ? `${phase}: ` : ""}${kind}: ${failed} of ${requests} failed${failures ? ` (${failures})` : ""}, slowest ${slowestMs.toFixed(0)} ms`,
    );
};

export const failedIn = (traffic: Traffic, phase?: string) =>
  traffic.results(phase).reduce((sum, { failed }) => sum + failed, 0);

export const requestsIn = (traffic: Traffic, phase?: string) =>
  traffic.results(phase).reduce((sum, { requests }) => sum + requests, 0);

export const slowestIn = (traffic: Traffic, phase?: string) =>
  Math.max(...traffic.results(phase).map(({ slowestMs }) => slowestMs));
