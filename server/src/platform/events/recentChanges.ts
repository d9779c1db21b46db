import { randomBytes } from "node:crypto";

/** Positions of other processes are compared by time, because their numbers differ. */
const thisProcess = randomBytes(4).toString("hex");
let received = 0;

/** How far the clocks of two servers may differ. */
const skewMs = 1000;
const keptMs = 5 * 60_000;
const keptMax = 1000;

/** The changes that were announced so far, for `GET /events?since=`. Sessions name it, so that no page misses any. */
export const currentPosition = () => `${Date.now()}-${thisProcess}-${received}`;

type Received<Change> = { at: number; number: number; changes: Change[] };

/** Keeps the changes of the last minutes, for pages that open or reopen their stream. */
export const keepRecentChanges = <Change>() => {
  let kept: Received<Change>[] = [];
  let keptCount = 0;
  /** The announcements before it may be lost. Null without Redis. */
  let completeFrom: number | null = null;

  const forget = (before: number) => {
    let [oldest] = kept;
    while (oldest && (oldest.at < before || keptCount > keptMax)) {
      completeFrom = oldest.at + 1;
      keptCount -= oldest.changes.length;
      kept.shift();
      [oldest] = kept;
    }
  };

  return {
    /** Announcements arrive from now on. */
    start: () => {
      kept = [];
      keptCount = 0;
      completeFrom = Date.now();
    },
    add: (changes: Change[]) => {
      received += 1;
      kept.push({ at: Date.now(), number: received, changes });
      keptCount += changes.length;
      forget(Date.now() - keptMs);
    },
    /** The changes after a position, or null if some of them aren't known. */
    since: (position: string) => {
      // Without Redis nothing arrives. Streams end once it is back, and pages continue from their position.
      if (completeFrom === null) return [];
      const [time, process, number] = position.split("-");
      const isOwn = process === thisProcess;
      const from = Number(time) - (isOwn ? 0 : skewMs);
      if (!(from >= completeFrom)) return null;
      return kept
        .filter((one) => (isOwn ? one.number > Number(number) : one.at >= from))
        .flatMap(({ changes }) => changes);
    },
  };
};
