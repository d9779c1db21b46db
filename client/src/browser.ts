import type { UsageEvent, UsageStorage } from "./types.ts";

/** Other code of the page may have changed the entry. */
const parseEvent = (text: string | null): UsageEvent[] => {
  try {
    return [JSON.parse(text ?? "")];
  } catch {
    return [];
  }
};

/** Keeps unsent usage in `localStorage`, for example of a desktop app. */
export const webStorage = (storage: Storage, prefix = "purser-usage:"): UsageStorage => ({
  load: () =>
    Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? "")
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => parseEvent(storage.getItem(name))),
  add: (event) => storage.setItem(`${prefix}${event.id}`, JSON.stringify(event)),
  remove: (ids) => {
    for (const id of ids) storage.removeItem(`${prefix}${id}`);
  },
});
