/** A record that somebody opened, for going back to it. */
export type Recent = { path: string; label: string; icon: string };

const key = "purser:recent";
const kept = 5;

/** What was opened last in this tab. It is a convenience: without storage there is none. */
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
    // A full or forbidden storage only means that nothing is remembered.
  }
};
