import {
  type EventType,
  eventTypes,
  type TransactionState as State,
} from "@purser/contract/transactions/fields";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { mayBecome, shownStateOf, stateOf, type TransactionEvent, transitions } from "./states.ts";

const numRuns = sized({ gate: 500, nightly: 100_000 });

const eventAt = (second: number, type: EventType): TransactionEvent => ({
  id: `${second} ${type}`,
  type,
  at: new Date(second * 1000),
});

/** Events a second apart, in this order. */
const happened = (...types: EventType[]) => types.map((type, second) => eventAt(second, type));

test.each<[State, EventType[]]>([
  ["draft", []],
  ["draft", ["created"]],
  ["voided", ["created", "voided"]],
  ["pending", ["created", "submitted"]],
  ["pending", ["created", "submitted", "authorized"]],
  ["succeeded", ["created", "submitted", "authorized", "succeeded"]],
  ["failed", ["created", "submitted", "failed"]],
  ["canceled", ["created", "submitted", "canceled"]],
  ["unknown", ["created", "submitted", "unknown"]],
  ["failed", ["created", "submitted", "unknown", "failed"]],
  ["disputed", ["created", "submitted", "succeeded", "disputed"]],
  ["succeeded", ["created", "submitted", "succeeded", "disputed", "dispute won"]],
  ["charged back", ["created", "submitted", "succeeded", "disputed", "dispute lost"]],
  ["disputed", ["created", "submitted", "succeeded", "disputed", "dispute won", "disputed"]],
])("a transaction is %s after %j", (state, types) => {
  expect(stateOf(happened(...types))).toBe(state);
});

test.each<[string, State, EventType[]]>([
  ["a draft ignores results", "draft", ["created", "succeeded"]],
  ["a submitted transaction can't be voided", "pending", ["created", "submitted", "voided"]],
  [
    "a voided transaction can't be submitted",
    "voided",
    ["created", "voided", "submitted", "succeeded"],
  ],
  ["only a success can be disputed", "failed", ["created", "submitted", "failed", "disputed"]],
  ["only an open dispute can be lost", "succeeded", ["submitted", "succeeded", "dispute lost"]],
  [
    "a second success does not end a dispute",
    "disputed",
    ["submitted", "succeeded", "disputed", "succeeded"],
  ],
  [
    "a failed renewal is canceled with its subscription",
    "canceled",
    ["submitted", "failed", "canceled"],
  ],
])("%s", (_, state, types) => {
  expect(stateOf(happened(...types))).toBe(state);
});

test.each<EventType>(["failed", "canceled", "unknown"])(
  "a success wins, whether %s is reported before or after it",
  (reported) => {
    expect(stateOf(happened("submitted", reported, "succeeded"))).toBe("succeeded");
    expect(stateOf(happened("submitted", "succeeded", reported))).toBe("succeeded");
  },
);

test("a success that arrives late with an earlier time is applied", () => {
  const known = [eventAt(1, "submitted"), eventAt(3, "failed")];
  expect(stateOf(known)).toBe("failed");
  expect(stateOf([...known, eventAt(2, "succeeded")])).toBe("succeeded");
});

test("an event that a provider's clock dates before the submission is applied", () => {
  expect(stateOf([eventAt(3, "succeeded"), eventAt(3.412, "submitted")])).toBe("succeeded");
});

test("at the same time, the submission comes before its result", () => {
  const types = ["dispute lost", "disputed", "succeeded", "submitted", "created"] as const;
  expect(stateOf(types.map((type) => eventAt(0, type)))).toBe("charged back");
});

test("a repeated event is applied once, even with a later time", () => {
  const events = happened("submitted", "succeeded", "disputed", "dispute won");
  const again = happened("submitted", "succeeded", "disputed");
  const later = again.map((event) => ({ ...event, at: new Date(event.at.getTime() + 60_000) }));
  expect(stateOf([...later, ...events])).toBe("succeeded");
});

test("allows exactly the declared transitions", () => {
  const states = [
    "draft",
    "pending",
    "unknown",
    "succeeded",
    "failed",
    "canceled",
    "voided",
    "disputed",
    "charged back",
  ] as const;
  const followers = states.map((from) => [from, states.filter((to) => mayBecome(from, to))]);
  expect(Object.fromEntries(followers)).toEqual({
    draft: ["pending", "voided"],
    pending: ["unknown", "succeeded", "failed", "canceled"],
    unknown: ["succeeded", "failed"],
    failed: ["succeeded", "canceled"],
    canceled: ["succeeded"],
    succeeded: ["disputed"],
    disputed: ["succeeded", "charged back"],
    voided: [],
    "charged back": [],
  });
});

test.each([
  ["succeeded", 0, 1000, "succeeded"],
  ["succeeded", 1, 1000, "partially refunded"],
  ["succeeded", 999, 1000, "partially refunded"],
  ["succeeded", 1000, 1000, "refunded"],
  ["succeeded", 0, 0, "succeeded"],
  ["disputed", 400, 1000, "disputed"],
  ["charged back", 400, 1000, "charged back"],
  ["pending", 0, 1000, "pending"],
] as const)("%s with %i of %i refunded is shown as %s", (state, refunded, total, shown) => {
  expect(shownStateOf(state, { refunded, total })).toBe(shown);
});

const anyType = fc.constantFrom<EventType>(...eventTypes);

/** Few times and few ids, so that events often coincide and repeat. */
const anyEvent = fc.record({
  id: fc.constantFrom(..."abcdefgh"),
  type: anyType,
  at: fc.nat({ max: 6 }).map((second) => new Date(second * 1000)),
});

const anyEvents = fc.array(anyEvent, { maxLength: 10 });

/** All of these and some repeated, in any order. */
const shuffled = (events: TransactionEvent[]) =>
  fc.tuple(fc.subarray(events), fc.subarray(events)).chain((again) => {
    const all = [...events, ...again.flat()];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

test("the state does not depend on order or repetition of events", () => {
  const delivered = anyEvents.chain((events) => fc.tuple(fc.constant(events), shuffled(events)));
  fc.assert(
    fc.property(delivered, ([events, order]) => {
      expect(stateOf(order)).toBe(stateOf(events));
    }),
    { numRuns },
  );
});

test("events in order of time move along the graph one step at a time", () => {
  fc.assert(
    fc.property(anyEvents, fc.constantFrom("submitted", "voided"), (events, second) => {
      const types = ["created", second, ...events.map(({ type }) => type)] as const;
      const all = happened(...types);
      for (const [place, { type }] of all.entries()) {
        const [before, after] = [stateOf(all.slice(0, place)), stateOf(all.slice(0, place + 1))];
        expect(after).toBe(transitions[before][type] ?? before);
      }
    }),
    { numRuns },
  );
});

test("only a dispute reverses a success", () => {
  const success = happened("submitted", "succeeded");
  const undisputed = anyEvents.map((events) => events.filter(({ type }) => type !== "disputed"));
  fc.assert(
    fc.property(undisputed, (events) => {
      const later = events.map(({ type, at }) => eventAt(at.getTime() / 1000 + 0.5, type));
      expect(stateOf([...later, ...success])).toBe("succeeded");
    }),
    { numRuns },
  );
});
