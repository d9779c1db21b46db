import { expect, test } from "vitest";
import { parseSubscription, readInterval } from "./parse.ts";

const now = new Date("2026-06-15T12:00:00Z");
const reading = { now, decimalMark: "comma", dateOrder: "day first" } as const;
const valid = {
  reference: "s-1",
  email: "ada@example.com",
  package: "studio",
  interval: "month",
  currency: "EUR",
  periodStart: "2026-06-01",
  periodEnd: "2026-07-01",
};
const parse = (cells: object) => parseSubscription({ ...valid, ...cells }, reading);

test.each([
  ["month", { interval: "month", intervalCount: 1 }],
  ["Monthly", { interval: "month", intervalCount: 1 }],
  ["3 months", { interval: "month", intervalCount: 3 }],
  ["every 2 weeks", { interval: "week", intervalCount: 2 }],
  ["quarterly", { interval: "month", intervalCount: 3 }],
  ["annual", { interval: "year", intervalCount: 1 }],
  ["0 months", null],
  ["once", null],
  ["sometimes", null],
])("reads the interval %s", (typed, interval) => {
  expect(readInterval(typed)).toEqual(interval);
});

test.each([
  [{ interval: "once" }, "interval", "import_interval_invalid"],
  [{ periodStart: "2026-06-16" }, "periodStart", "import_date_future"],
  [{ periodEnd: "2026-06-01" }, "periodEnd", "import_period_order"],
  [{ periodStart: "2026-05-01", periodEnd: "2026-06-01" }, "periodEnd", "import_period_over"],
  [{ periodEnd: "2026-07-04" }, "periodEnd", "import_period_long"],
  [{ interval: "year", periodEnd: "2027-06-04" }, "periodEnd", "import_period_long"],
  [{ startedAt: "2026-06-16" }, "startedAt", "import_date_future"],
  [{ status: "past_due" }, "status", "import_status_subscription"],
  [{ status: "canceled" }, "endedAt", "import_end_missing"],
  [{ endedAt: "2026-06-16" }, "endedAt", "import_date_future"],
  [{ status: "ended", endedAt: "2026-05-31" }, "endedAt", "import_end_early"],
  [{ cancelsAtPeriodEnd: "maybe" }, "cancelsAtPeriodEnd", "import_answer_invalid"],
  [{ quantity: "0" }, "quantity", "number_too_small"],
  [{ quantity: "1,5" }, "quantity", "whole_number"],
  [{ price: "12,345" }, "price", "import_amount_decimals"],
  [{ package: "" }, "package", "import_value_required"],
])("rejects %j at its cell", (cells, field, code) => {
  const [error] = parse(cells).errors;
  expect([error?.field, error?.message.code]).toEqual([field, code]);
});

test.each([
  [{}, { ended_at: null, is_ending: false, quantity: 1, billed_by: null }],
  [{ cancelsAtPeriodEnd: "TRUE" }, { ended_at: null, is_ending: true }],
  [{ status: "canceled", endedAt: "2026-06-10" }, { ended_at: new Date("2026-06-10") }],
  [
    { periodStart: "2026-05-01", periodEnd: "2026-06-01", cancelsAtPeriodEnd: "yes" },
    { ended_at: new Date("2026-06-01") },
  ],
  [{ startedAt: "2026-06-05" }, { created_at: new Date("2026-06-01") }],
  [
    { startedAt: "2026-05-05 10:20:30.123456+02" },
    { created_at: new Date("2026-05-05T08:20:30Z") },
  ],
  [{ startedAt: "2026-05-05 10:20:30 UTC" }, { created_at: new Date("2026-05-05T10:20:30Z") }],
  [
    { quantity: "1.000", price: "1.234,50", periodEnd: "01/07/2026" },
    { quantity: 1000, price: 123_450, period_end: new Date("2026-07-01") },
  ],
  [{ interval: "3 months", periodEnd: "2026-09-01" }, { interval_count: 3 }],
  [{ interval: "year", periodEnd: "2027-06-01" }, { interval: "year" }],
  [{ reference: "sub_1Nx" }, { billed_by: "stripe", billing_reference: "sub_1Nx" }],
])("reads %j", (cells, fields) => {
  const parsed = parse(cells);
  expect(parsed.errors).toEqual([]);
  expect(parsed.fields).toMatchObject(fields);
});
