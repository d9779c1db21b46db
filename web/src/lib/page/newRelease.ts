import { useSyncExternalStore } from "react";
import { createListeners } from "../listeners.ts";
import { runtime } from "./runtime.ts";

const leastMs = 60_000;
const own = runtime.build.id;
const { subscribe, tell } = createListeners();
let channel: BroadcastChannel | null = null;

/** The newer release that was found, or nothing. */
let found: string | null = null;
let checkedAt = Number.NEGATIVE_INFINITY;

/** A build that an answer named: another one than this page's means a release happened. */
export const noticeBuild = (id: string | null) => {
  if (!own || !id || id === own || found !== null) return;
  found = id;
  channel?.postMessage(id);
  tell();
};

export const newerRelease = () => found;

export const useNewerRelease = () => useSyncExternalStore(subscribe, newerRelease);

const fetchBuild = (file: string) => fetch(`${runtime.assetsBaseUrl}builds/${file}`);

/** Which release is the newest. Whatever else comes is asked again another time. */
const check = async () => {
  checkedAt = Date.now();
  try {
    const response = await fetchBuild(`latest.json?${checkedAt}`);
    const { id }: { id?: unknown } = await response.json();
    if (response.ok && typeof id === "string") noticeBuild(id);
  } catch {
    // Nobody is told: the page goes on as it is.
  }
};

type Connection = { saveData?: boolean; effectiveType?: string };

const isSparing = () => {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return connection?.saveData === true || connection?.effectiveType === "slow-2g";
};

/** That this page's own build is still known. If it is not, its other parts may be gone too. */
const checkOwn = async () => {
  const response = await fetchBuild(`meta/${own}.json`).catch(() => null);
  if (response?.status === 404 || response?.status === 403) noticeBuild("another");
};

/** Looks for a newer release from now on: after a while, then now and then, and when the tab is seen again. */
export const startVersionChecks = () => {
  if (!own) return;
  channel = new BroadcastChannel("purser:release");
  // Another tab has seen it: this one need not ask.
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
