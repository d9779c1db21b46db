/** How long something that was read stays in use while the database can't be reached. */
export const staleMsMax = 3_600_000;

/** After the database couldn't be reached, it is asked again at most once in this time. */
const retryMs = 1000;

type Settings<T> = {
  /** How long it is used without being read again. */
  freshMs: number;
  /** How many values are kept. The one that was read the longest ago is dropped first. */
  max: number;
  /** Whether an error means that the database can't be reached. */
  isAway: (error: unknown) => boolean;
  /** How long a value may be used while the database can't be reached. By default an hour. */
  staleMsOf?: (value: T) => number;
};

type Kept<T> = { value: T; readAt: number; changes: number };

export type Remembered<T> = {
  value: T;
  readAt: Date;
  /** Whether it would have been read again, but the database couldn't be reached. */
  isStale: boolean;
};

type Reading<T> = {
  key: string;
  now: Date;
  read: () => Promise<T>;
  /** Whether a kept value can still be used, for one that changes by itself at a known time. */
  isValid?: (value: T, readAt: Date) => boolean;
};

/**
 * Remembers what was read from the database for a moment, so that a busy customer or key isn't read for each request,
 * and for longer while the database can't be reached.
 */
export const openMemory = <T>({
  freshMs,
  max,
  isAway,
  staleMsOf = () => staleMsMax,
}: Settings<T>) => {
  const kept = new Map<string, Kept<T>>();
  const reading = new Map<string, Promise<Kept<T>>>();
  let changes = 0;
  let awayUntil = 0;
  let usableUntil = 0;

  const keep = (key: string, entry: Kept<T>) => {
    // Again at the end, so that the first key is the one that was read the longest ago.
    kept.delete(key);
    kept.set(key, entry);
    const { value, readAt } = entry;
    const staleMs = staleMsOf(value);
    if (staleMs > 0) usableUntil = Math.max(usableUntil, readAt + staleMs);
    const [oldest] = kept.size > max ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return entry;
  };

  const readAgain = ({ key, now, read }: Reading<T>) => {
    const place = `${changes} ${key}`;
    const known = reading.get(place);
    if (known) return known;
    // What changes while it is read isn't fresh.
    const begun = { readAt: now.getTime(), changes };
    const started = read()
      .then((value) => keep(key, { value, ...begun }))
      .finally(() => reading.delete(place));
    reading.set(place, started);
    return started;
  };

  const ageOf = ({ readAt }: Kept<T>, now: Date) => now.getTime() - readAt;

  const isFresh = (entry: Kept<T>, { now, isValid }: Reading<T>) => {
    const age = ageOf(entry, now);
    if (entry.changes !== changes || age < 0 || age >= freshMs) return false;
    return isValid === undefined || isValid(entry.value, new Date(entry.readAt));
  };

  const answer = ({ value, readAt }: Kept<T>, isStale = false): Remembered<T> => ({
    value,
    readAt: new Date(readAt),
    isStale,
  });

  return {
    get: async (asked: Reading<T>, newerThan = 0): Promise<Remembered<T>> => {
      const { key, now } = asked;
      const known = kept.get(key);
      if (known && known.readAt > newerThan && isFresh(known, asked)) return answer(known);
      const canWait = known && ageOf(known, now) < staleMsOf(known.value);
      if (canWait && now.getTime() < awayUntil) return answer(known, true);
      try {
        return answer(await readAgain(asked));
      } catch (error) {
        if (!isAway(error)) throw error;
        awayUntil = now.getTime() + retryMs;
        if (!canWait) throw error;
        return answer(known, true);
      }
    },
    /** One value is read again. */
    expireOne: (key: string) => {
      const known = kept.get(key);
      if (known) known.changes = -1;
    },
    /** Everything is read again. The old values are kept for when the database can't be reached. */
    expire: () => {
      changes += 1;
    },
    /** Nothing is used again. */
    forget: () => {
      changes += 1;
      kept.clear();
      usableUntil = 0;
    },
    /** Whether something is kept that can be used while the database can't be reached. */
    isUsable: (now: Date) => now.getTime() < usableUntil,
    size: () => kept.size,
  };
};
