/** Something that happened in the demo company. It returns what follows from it later. */
export type Step = { at: Date; run: () => Promise<Step[]> };

/** Runs steps in the order of their time, with those that they add, up to a moment. */
export const playTimeline = async (steps: readonly Step[], until: Date) => {
  const waiting = [...steps];
  for (;;) {
    waiting.sort((one, other) => +other.at - +one.at);
    const next = waiting.pop();
    if (!next || next.at > until) return;
    waiting.push(...(await next.run()));
  }
};

const dayMs = 86_400_000;

export const minutesAfter = (at: Date, minutes: number) => new Date(+at + minutes * 60_000);
export const daysAfter = (at: Date, days: number) => new Date(+at + days * dayMs);
