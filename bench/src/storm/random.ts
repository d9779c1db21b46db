import { createHash } from "node:crypto";

/** Random numbers for one purpose. The same purpose and seed give the same numbers, whatever else happens. */
export const randomOf = (...purpose: (string | number)[]) => {
  let state = createHash("sha256").update(purpose.join("/")).digest().readUInt32LE(0);
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const pick = <const T>(list: readonly T[]): T | undefined => list[below(list.length)];
  /** One of the names, chosen by weight. */
  const weighted = <const Name extends string>(weights: Record<Name, number>): Name => {
    const entries = Object.entries<number>(weights);
    let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    const chosen = entries.find(([, weight]) => {
      left -= weight;
      return left < 0;
    });
    return (chosen ?? entries[0])?.[0] as Name;
  };
  return { next, below, pick, weighted };
};
export type Random = ReturnType<typeof randomOf>;
