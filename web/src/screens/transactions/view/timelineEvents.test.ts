import { expect, test } from "vitest";
import type { Details } from "../queries.ts";
import { timelineOf } from "./timelineEvents.ts";

type Event = Details["events"][number];
type Refund = Details["refunds"][number];

const event = (type: Event["type"], at: string) =>
  ({ id: type, type, at, source: "system", by: null, evidence: null }) as Event;
const refund = (number: string, occurredAt: string, given: Partial<Refund> = {}) =>
  ({
    id: number,
    number,
    kind: "refund",
    state: "succeeded",
    occurredAt,
    total: 4000,
    balanceAmount: 0,
    currency: "EUR",
    access: "keep",
    ...given,
  }) as Refund;

const payment = (given: Partial<Details>) =>
  ({
    events: [
      event("succeeded", "2026-09-01T10:00:00Z"),
      event("submitted", "2026-09-01T10:00:00Z"),
      event("created", "2026-09-02T10:00:00Z"),
    ],
    refunds: [],
    grants: [{ isActive: true }],
    periodEnd: "2027-09-02T10:00:00Z",
    interval: "year",
    intervalCount: 1,
    ...given,
  }) as unknown as Details;

const labels = (stored: Details) =>
  timelineOf(stored, new Date("2026-11-14T10:00:00Z")).map(({ label, notes }) =>
    [label, ...notes].join(", "),
  );

test("a payment is created, settled and renews", () =>
  expect(labels(payment({}))).toEqual([
    "Created, by Purser",
    "Submitted, by Purser",
    "Settled, by Purser",
    "Renews, yearly",
  ]));

test("refunds are part of the timeline of their payment", () => {
  const refunds = [
    refund("TX-3", "2026-10-03T10:00:00Z", { balanceAmount: 4000, access: "end with period" }),
    refund("TX-2", "2026-10-02T10:00:00Z", { balanceAmount: 1500 }),
    refund("TX-4", "2026-10-04T10:00:00Z", { kind: "chargeback" }),
    refund("TX-5", "2026-10-05T10:00:00Z", { state: "failed" }),
  ];
  expect(labels(payment({ refunds })).slice(3)).toEqual([
    "Refunded, 40.00 EUR, 15.00 EUR of it to the balance, TX-2",
    "Refunded, 40.00 EUR to the balance, TX-3",
    "Charged back, 40.00 EUR, TX-4",
    "Ends, doesn't renew",
  ]);
});
