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

/** Events a second apart, in the order in which they happened. */
const happened = (...types: EventType[]) => types.map((type, second) => eventAt(second, type));

test.each<[State, EventType[]]>([
  ["draft", []],
  ["draft", ["created"]],
  ["voided", ["created", "voided"]],
  ["pending", ["created", "submitted"]],
  ["pending", ["created", "submitted", "authorised"]],
  ["succeeded", ["created", "submitted", "authorised", "succeeded"]],
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
  ["a draft knows no outcome", "draft", ["created", "succeeded"]],
  ["what was submitted is not voided", "pending", ["created", "submitted", "voided"]],
  ["what was voided is not submitted", "voided", ["created", "voided", "submitted", "succeeded"]],
  ["only a success is disputed", "failed", ["created", "submitted", "failed", "disputed"]],
  ["a dispute must be open to be lost", "succeeded", ["submitted", "succeeded", "dispute lost"]],
  [
    "a second success ends no dispute",
    "disputed",
    ["submitted", "succeeded", "disputed", "succeeded"],
  ],
  ["a failure is not taken back by a canceling", "failed", ["submitted", "failed", "canceled"]],
])("%s", (_, state, types) => {
  expect(stateOf(happened(...types))).toBe(state);
});

test.each<EventType>(["failed", "canceled", "unknown"])(
  "money that moved counts, whether %s was said before or after it",
  (said) => {
    expect(stateOf(happened("submitted", said, "succeeded"))).toBe("succeeded");
    expect(stateOf(happened("submitted", "succeeded", said))).toBe("succeeded");
  },
);

test("a success that comes in late with an earlier time counts", () => {
  const known = [eventAt(1, "submitted"), eventAt(3, "failed")];
  expect(stateOf(known)).toBe("failed");
  expect(stateOf([...known, eventAt(2, "succeeded")])).toBe("succeeded");
});

test("an answer that a provider's clock dates before the question counts", () => {
  expect(stateOf([eventAt(3, "succeeded"), eventAt(3.412, "submitted")])).toBe("succeeded");
});

test("of events of the same moment the question counts before its answer", () => {
  const types = ["dispute lost", "disputed", "succeeded", "submitted", "created"] as const;
  expect(stateOf(types.map((type) => eventAt(0, type)))).toBe("charged back");
});

test("an event that comes again, even with a later time, counts once", () => {
  const events = happened("submitted", "succeeded", "disputed", "dispute won");
  const again = happened("submitted", "succeeded", "disputed");
  const later = again.map((event) => ({ ...event, at: new Date(event.at.getTime() + 60_000) }));
  expect(stateOf([...later, ...events])).toBe("succeeded");
});

test("the states follow each other as the product says", () => {
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
    failed: ["succeeded"],
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
] as const)("%s with %i of %i paid back is shown as %s", (state, refunded, total, shown) => {
  expect(shownStateOf(state, { refunded, total })).toBe(shown);
});

const anyType = fc.constantFrom<EventType>(...eventTypes);

/** Few moments and few ids, so that events often meet and repeat. */
const anyEvent = fc.record({
  id: fc.constantFrom(..."abcdefgh"),
  type: anyType,
  at: fc.nat({ max: 6 }).map((second) => new Date(second * 1000)),
});

const anyEvents = fc.array(anyEvent, { maxLength: 10 });

/** Some of these again, in any order, none left out. */
const shuffled = (events: TransactionEvent[]) =>
  fc.tuple(fc.subarray(events), fc.subarray(events)).chain((again) => {
    const all = [...events, ...again.flat()];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

test("events may come in any order and any number of times", () => {
  const delivered = anyEvents.chain((events) => fc.tuple(fc.constant(events), shuffled(events)));
  fc.assert(
    fc.property(delivered, ([events, order]) => {
      expect(stateOf(order)).toBe(stateOf(events));
    }),
    { numRuns },
  );
});

test("what comes in the order of time moves along the graph, one step at a time", () => {
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

test("only a dispute takes a success away", () => {
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
