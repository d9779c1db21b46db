import type { UsageEvent, UsageStorage } from "./types.ts";

/** Keeps unsent usage in `localStorage`, for example of a desktop app. */
export const webStorage = (storage: Storage, prefix = "purser-usage:"): UsageStorage => ({
  load: () =>
    Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? "")
      .filter((name) => name.startsWith(prefix))
      .map((name): UsageEvent => JSON.parse(storage.getItem(name) ?? "")),
  add: (event) => storage.setItem(`${prefix}${event.id}`, JSON.stringify(event)),
  remove: (ids) => {
    for (const id of ids) storage.removeItem(`${prefix}${id}`);
  },
});
