import type { MadeChange } from "./announce.ts";

const announceMs = 2000;

/**
 * Announces each kind of record at most every two seconds, as a change of its list, because every open page reads it
 * again. These kinds are always announced.
 */
export const announceRarely = (always: readonly string[]) => {
  const next = new Map<string, number>();
  return (changes: MadeChange[]): MadeChange[] => {
    const now = performance.now();
    const own = changes.filter(({ entity }) => always.includes(entity));
    const others = new Map(changes.map((change) => [change.entity, change]));
    const due = [...others.values()].filter(
      ({ entity }) => !always.includes(entity) && (next.get(entity) ?? 0) <= now,
    );
    for (const { entity } of due) next.set(entity, now + announceMs);
    return [...own, ...due.map((change) => ({ ...change, id: null, action: "update" as const }))];
  };
};
