import { runtime } from "../page/runtime.ts";

export type Recent = { path: string; label: string; icon: string };

// Both modes of an installation share the storage of the browser.
const key = `purser:recent${runtime.basePath}`;
const kept = 5;

/** The records opened last in this tab. Empty without session storage. */
export const recentRecords = (): Recent[] => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
};

export const rememberRecord = (record: Recent) => {
  const others = recentRecords().filter(({ path }) => path !== record.path);
  try {
    sessionStorage.setItem(key, JSON.stringify([record, ...others].slice(0, kept)));
  } catch {
    // Without storage nothing is remembered.
  }
};
