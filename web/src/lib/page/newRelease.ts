import { useSyncExternalStore } from "react";
import { createListeners } from "../listeners.ts";
import { runtime } from "./runtime.ts";

const leastMs = 60_000;
const own = runtime.build.id;
const { subscribe, notify } = createListeners();
let channel: BroadcastChannel | null = null;

let found: string | null = null;
let checkedAt = Number.NEGATIVE_INFINITY;

/** Called with the build id of each answer. A different id than this page's means a new release. */
export const noticeBuild = (id: string | null) => {
  if (!own || !id || id === own || found !== null) return;
  found = id;
  channel?.postMessage(id);
  notify();
};

export const newerRelease = () => found;

export const useNewerRelease = () => useSyncExternalStore(subscribe, newerRelease);

const fetchBuild = (file: string) => fetch(`${runtime.assetsBaseUrl}builds/${file}`);

const check = async () => {
  checkedAt = Date.now();
  try {
    const response = await fetchBuild(`latest.json?${checkedAt}`);
    const { id }: { id?: unknown } = await response.json();
    if (response.ok && typeof id === "string") noticeBuild(id);
  } catch {
    // The next check tries again.
  }
};

type Connection = { saveData?: boolean; effectiveType?: string };

const isSparing = () => {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true || connection?.effectiveType === "slow-2g";
};

/** Checks that this page's build still exists. If not, its chunks may be gone too. */
const checkOwn = async () => {
  const response = await fetchBuild(`meta/${own}.json`).catch(() => null);
  if (response?.status === 404 || response?.status === 403) noticeBuild("another");
};

/** Checks for a new release regularly and when the tab becomes visible. */
export const startVersionChecks = () => {
  if (!own) return;
  channel = new BroadcastChannel("purser:release");
  // Another tab found it, so this one needn't check.
  channel.addEventListener("message", ({ data }) => noticeBuild(String(data)));
  const { manifestDelayMs, intervalMs } = runtime.versionCheck;
  if (!isSparing()) setTimeout(checkOwn, manifestDelayMs);
  const next = () =>
    setTimeout(async () => {
      if (found !== null) return;
      await check();
      next();
    }, intervalMs);
  next();
  checkedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    const isDue = Date.now() - checkedAt > leastMs;
    if (document.visibilityState === "visible" && isDue && found === null) void check();
  });
};
