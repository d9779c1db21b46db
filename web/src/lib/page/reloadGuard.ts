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
 * Whether a page may be loaded anew without anybody asking: once per path within the guard's time, three
 * times a minute in all, and never where that cannot be remembered or nothing could be loaded. To ask is
 * to do it: it is remembered.
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
