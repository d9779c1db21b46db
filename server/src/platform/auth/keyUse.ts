import type { Db } from "../db/db.ts";

// When the use of a key was written last, so that many requests write it once.
const written = new Map<string, number>();

/** Once a minute is enough to see that a key is in use. The request doesn't wait for it. */
export const noteUse = (
  db: Db,
  table: "appKeys" | "serviceKeys",
  { id, lastUsedAt }: { id: string; lastUsedAt: Date | null },
  now: Date,
) => {
  const last = Math.max(lastUsedAt?.getTime() ?? 0, written.get(id) ?? 0);
  if (now.getTime() - last <= 60_000) return;
  written.set(id, now.getTime());
  db.updateTable(table)
    .set({ lastUsedAt: now })
    .where("id", "=", id)
    .execute()
    // The next request tries again.
    .catch(() => written.delete(id));
};
