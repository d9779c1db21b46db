import { Problem } from "./http/problem.ts";
import { message } from "./messages.ts";

type Limits = {
  /** How many can be in progress, of everyone and of one caller. */
  all: number;
  each: number;
  /** How many of one caller can wait, and how long. */
  waitingMax: number;
  waitMs: number;
};

/** No page of the dashboard has more waiting requests. A caller who has runs one at a time, which leaves CPU time for others. */
const crowdedFrom = 10;

type Waiting = { caller: string; start: () => void };

const tooMany = (seconds: number) =>
  new Problem(
    "too_many_requests",
    message(
      "requests_waiting",
      "Too many of your requests are in progress. Wait until some of them finish.",
    ),
    { retryAfterSeconds: seconds },
  );

const allBusy = () =>
  new Problem(
    "unavailable",
    message("server_busy", "The server is busy. Try again in a few seconds."),
    {
      retryAfterSeconds: 2,
    },
  );

/** What is in progress and what waits. */
class Line {
  readonly #limits: Limits;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  runningOf(caller: string) {
    return this.#running.get(caller) ?? 0;
  }

  waitingOf(caller: string) {
    return this.#waiting.filter((one) => one.caller === caller).length;
  }

  isFree(caller: string) {
    return this.#total < this.#limits.all && this.runningOf(caller) < this.#limits.each;
  }

  start(caller: string) {
    this.#total += 1;
    this.#running.set(caller, this.runningOf(caller) + 1);
  }

  end(caller: string) {
    this.#total -= 1;
    const rest = this.runningOf(caller) - 1;
    if (rest > 0) this.#running.set(caller, rest);
    else this.#running.delete(caller);
    this.#startNext();
  }

  add(one: Waiting) {
    this.#waiting.push(one);
  }

  remove(one: Waiting) {
    const place = this.#waiting.indexOf(one);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  #startNext() {
    for (let next = this.#next(); next; next = this.#next()) {
      this.remove(next);
      this.start(next.caller);
      next.start();
    }
  }

  /** The first of the callers with the fewest in progress. */
  #next() {
    const callers = [...new Set(this.#waiting.map(({ caller }) => caller))].filter(
      (caller) =>
        this.isFree(caller) &&
        (this.runningOf(caller) === 0 || this.waitingOf(caller) <= crowdedFrom),
    );
    const fewest = Math.min(...callers.map((caller) => this.runningOf(caller)));
    return this.#waiting.find(
      ({ caller }) => callers.includes(caller) && this.runningOf(caller) === fewest,
    );
  }
}

/**
 * Limits what is in progress at the same time. Callers with the fewest in progress go first, in order, so that one
 * caller's many requests delay only that caller.
 */
export const openTurns = (limits: Limits) => {
  const { each, waitingMax, waitMs } = limits;
  const line = new Line(limits);

  const wait = (caller: string, signal: AbortSignal | undefined) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Waiting = { caller, start: resolve };
    line.add(one);
    const giveUp = (error: unknown) => {
      line.remove(one);
      reject(error);
    };
    const isOwnFault = () => line.runningOf(caller) >= each || line.waitingOf(caller) > crowdedFrom;
    const timer = setTimeout(
      () => giveUp(isOwnFault() ? tooMany(Math.ceil(waitMs / 1000)) : allBusy()),
      waitMs,
    );
    const onAbort = () => giveUp(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  };

  return {
    /** Waits for a turn. The returned function ends it. */
    enter: async (caller: string, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      if (line.waitingOf(caller) === 0 && line.isFree(caller)) line.start(caller);
      else if (line.waitingOf(caller) >= waitingMax) throw tooMany(1);
      else await wait(caller, signal);
      let isOver = false;
      return () => {
        if (!isOver) line.end(caller);
        isOver = true;
      };
    },
  };
};
export type Turns = ReturnType<typeof openTurns>;
