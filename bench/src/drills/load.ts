import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { changeHeaders } from "../setup/product.ts";

type Target = { origins: () => string[]; cookie: string };

export type Load = {
  /** Codes of apps whose creation was acknowledged. */
  acknowledged: string[];
  attempts: number;
  failures: { at: number; what: string }[];
  /** The longest time between two acknowledged changes, in ms. */
  longestGapMs: () => number;
  stop: () => Promise<void>;
};

const createApp = async (origin: string, cookie: string, code: string) => {
  const response = await fetch(`${origin}/api/apps`, {
    method: "POST",
    headers: changeHeaders(cookie),
    body: JSON.stringify({ code, name: code }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.text();
  return response.status;
};

/** Creates apps one after another in a few loops, without repeating a request that failed. */
export const startLoad = (
  { origins, cookie }: Target,
  { clients = 4, pauseMs = 20 } = {},
): Load => {
  const acknowledged: string[] = [];
  const times: number[] = [];
  const failures: Load["failures"] = [];
  const load = { attempts: 0 };
  let isOver = false;
  const one = async (client: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const all = origins();
      const origin = all[(client + turn) % all.length] ?? "";
      const code = `drill-${client}-${turn}-${randomUUID().slice(0, 8)}`;
      load.attempts += 1;
      const status = await createApp(origin, cookie, code).catch((error: Error) => error.message);
      if (status === 201) {
        acknowledged.push(code);
        times.push(performance.now());
      } else failures.push({ at: performance.now(), what: String(status) });
      await wait(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
  return {
    acknowledged,
    failures,
    get attempts() {
      return load.attempts;
    },
    longestGapMs: () => {
      const sorted = times.toSorted((a, b) => a - b);
      return Math.max(0, ...sorted.slice(1).map((at, place) => at - (sorted[place] ?? at)));
    },
    stop: async () => {
      isOver = true;
      await running;
    },
  };
};

/** Until this many more changes are acknowledged. */
export const untilAcknowledged = async ({ acknowledged }: Load, more: number, limitMs = 60_000) => {
  const wanted = acknowledged.length + more;
  const startedAt = performance.now();
  while (acknowledged.length < wanted) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(`Only ${acknowledged.length} of ${wanted} changes were acknowledged.`);
    await wait(50);
  }
};

/** Acknowledged changes that the database doesn't have. */
export const lostOf = async (
  { acknowledged }: Load,
  query: (text: string) => Promise<{ code: string }[]>,
) => {
  const stored = new Set((await query("select code from apps")).map(({ code }) => code));
  return acknowledged.filter((code) => !stored.has(code));
};
