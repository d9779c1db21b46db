import type { Db } from "../db/db.ts";

// The keys whose use is being written, so that many requests at once write it once.
const writing = new Set<string>();

/** Once a minute is enough to see that a key is in use. The request doesn't wait for it. */
export const noteUse = (
  db: Db,
  table: "appKeys" | "serviceKeys",
  { id, lastUsedAt }: { id: string; lastUsedAt: Date | null },
  now: Date,
) => {
  const isNoted = lastUsedAt && now.getTime() - lastUsedAt.getTime() <= 60_000;
  if (isNoted || writing.has(id)) return;
  writing.add(id);
  db.updateTable(table)
    .set({ lastUsedAt: now })
    .where("id", "=", id)
    .execute()
    // The next request tries again.
    .catch(() => undefined)
    .finally(() => writing.delete(id));
};
