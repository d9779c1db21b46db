import { expect, test } from "vitest";
import { effectOf, isLossByUse } from "./rollout.ts";

type Impact = Parameters<typeof effectOf>[1];

const impactOf = (more: Partial<Impact>): Impact => ({
  subscribers: 10,
  isAtMost: false,
  gain: 10,
  lose: 8,
  effects: [],
  renewals: [{ renewals: 10 }],
  ...more,
});

const lowered = { lose: 8, above: 3, isUseKnown: true };

test.each<[string, Parameters<typeof effectOf>[0], Partial<Impact>, string, string]>([
  ["no one, if only new customers get it", "new buyers", {}, "0", "0"],
  [
    "everyone who has less, if use is unknown",
    "now",
    { effects: [{ ...lowered, isUseKnown: false }] },
    "10",
    "8",
  ],
  ["only those who use more than is left", "now", { effects: [lowered] }, "10", "3"],
  [
    "at most the sum, if several features are lowered",
    "now",
    { effects: [lowered, lowered] },
    "10",
    "at most 6",
  ],
  [
    "never more than would have less",
    "now",
    { effects: [lowered, lowered, lowered] },
    "10",
    "at most 8",
  ],
  [
    "everyone, if the use of one is unknown",
    "now",
    { effects: [lowered, { ...lowered, isUseKnown: false }] },
    "10",
    "8",
  ],
  [
    "at most the renewals, at renewal",
    "renewal",
    { renewals: [{ renewals: 2 }, { renewals: 3 }] },
    "at most 5",
    "at most 5",
  ],
  ["no one, if nothing renews", "renewal", { renewals: [] }, "0", "0"],
  ["at most, with very many subscribers", "date", { isAtMost: true }, "at most 10", "at most 8"],
])("counts %s", (_, mode, impact, gain, lose) => {
  const found = effectOf(mode, impactOf(impact));
  const text = ({ count, isAtMost }: (typeof found)["gain"]) =>
    `${isAtMost ? "at most " : ""}${count}`;
  expect([text(found.gain), text(found.lose)]).toEqual([gain, lose]);
});

test("nothing is lost by use if nothing is lost", () => {
  expect(isLossByUse({ effects: [{ lose: 0, above: 0, isUseKnown: true }] })).toBe(false);
});
