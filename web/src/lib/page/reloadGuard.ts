const guarded = "purser:reload";
const counted = "purser:reloads";
const perMinute = 3;
const minuteMs = 60_000;

const readJson = <T>(name: string, none: T): T => {
  const text = sessionStorage.getItem(name);
  try {
    return text === null ? none : JSON.parse(text);
  } catch {
    return none;
  }
};

/**
 * Whether the page may reload by itself: once per path within the guard time, three times a minute
 * in total, and never offline or without storage. Calling it counts as a reload.
 */
export const mayReload = (path: string, guardMs: number, now = Date.now()) => {
  if (!navigator.onLine) return false;
  try {
    const isLive = (expiry: number) => expiry - now > 0 && expiry - now <= guardMs;
    const expiries = Object.entries(readJson<Record<string, number>>(guarded, {})).filter(
      ([, expiry]) => isLive(expiry),
    );
    const times = readJson<number[]>(counted, []).filter(
      (time) => time <= now && now - time < minuteMs,
    );
    if (expiries.some(([one]) => one === path) || times.length >= perMinute) return false;
    const next = { ...Object.fromEntries(expiries), [path]: now + guardMs };
    sessionStorage.setItem(guarded, JSON.stringify(next));
    sessionStorage.setItem(counted, JSON.stringify([...times, now]));
    return true;
  } catch {
    return false;
  }
};
