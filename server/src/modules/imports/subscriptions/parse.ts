import { text } from "@purser/contract/fields/text";
import { intervals } from "@purser/contract/packages/prices";
import { z } from "zod";
import { message } from "#platform/messages.ts";
import {
  type CellReader,
  type Cells,
  cellReader,
  emptyRow,
  type Parsed,
  type Reading,
} from "../cells.ts";
import { isBilledElsewhere, keyOf, readCustomer, readReference } from "../history.ts";

const words: Readonly<Record<string, string>> = {
  daily: "1 day",
  weekly: "1 week",
  monthly: "1 month",
  quarterly: "3 months",
  quarter: "3 months",
  yearly: "1 year",
  annual: "1 year",
  annually: "1 year",
};

/** "month", "monthly", "3 months", "every 3 months". */
export const readInterval = (typed: string) => {
  const simple = typed
    .toLowerCase()
    .replace(/^every /, "")
    .trim();
  const [, count = "1", name] =
    /^(?:(\d{1,3}) ?)?(day|week|month|year)s?$/.exec(words[simple] ?? simple) ?? [];
  const interval = intervals.find((one) => one === name);
  return interval && Number(count) > 0 ? { interval, intervalCount: Number(count) } : null;
};

const yes = ["true", "yes", "1", "y"];
const no = ["false", "no", "0", "n"];

const readAnswer = (
  cells: Cells,
  field: "cancelsAtPeriodEnd",
  { refuse }: CellReader,
): boolean | null => {
  const typed = cells[field]?.trim().toLowerCase();
  if (!typed || no.includes(typed)) return false;
  return yes.includes(typed)
    ? true
    : refuse(field, message("import_answer_invalid", "Use yes or no."));
};

const statuses: Readonly<Record<string, "running" | "ended">> = {
  active: "running",
  trialing: "running",
  canceled: "ended",
  cancelled: "ended",
  ended: "ended",
  expired: "ended",
};

const readStatus = ({ status }: Cells, { refuse }: CellReader) => {
  if (!status?.trim()) return null;
  return (
    statuses[status.trim().toLowerCase()] ??
    refuse(
      "status",
      message("import_status_subscription", "Only active and ended subscriptions can be imported."),
    )
  );
};

/** When a subscription ended. One that was canceled ended with its period. */
const readEnd = (
  cells: Cells,
  reader: CellReader,
  { periodEnd, isEnding, now }: { periodEnd: Date | null; isEnding: boolean; now: Date },
) => {
  const { refuse, moment } = reader;
  const status = readStatus(cells, reader);
  const endedAt = moment("endedAt", { until: now });
  if (endedAt || !periodEnd) return endedAt;
  const isOver = periodEnd <= now;
  if ((status === "ended" || isEnding) && isOver) return periodEnd;
  if (status === "ended")
    return refuse("endedAt", message("import_end_missing", "Enter when the subscription ended."));
  // Purser never renews the past, and access that has ended isn't brought back.
  return isOver ? refuse("periodEnd", periodOver) : null;
};

export const periodOver = message(
  "import_period_over",
  "This period is over. Enter the current period, or when the subscription ended.",
);

const readPeriod = ({ moment, refuse }: CellReader, now: Date) => {
  const start = moment("periodStart", { isRequired: true, until: now });
  const end = moment("periodEnd", { isRequired: true });
  if (start && end && start >= end)
    refuse("periodEnd", message("import_period_order", "The period must end after it starts."));
  return { start, end };
};

const longestDays = { once: 0, day: 1, week: 7, month: 31, year: 366 } as const;
/** A day with 25 hours, and systems that count in another time zone. */
const toleranceMs = 26 * 3_600_000;

/** More than one interval would be access that no one has paid for. */
const refuseLongPeriod = (
  { refuse }: CellReader,
  { start, end }: { start: Date | null; end: Date | null },
  interval: ReturnType<typeof readInterval>,
) => {
  if (!start || !end || !interval) return;
  const longestMs = longestDays[interval.interval] * interval.intervalCount * 86_400_000;
  if (+end - +start > longestMs + toleranceMs)
    refuse(
      "periodEnd",
      message("import_period_long", "The period is longer than the billing interval."),
    );
};

/** Other systems may have created the subscription after the start of its period. */
const startOf = (given: Date | null, periodStart: Date | null) =>
  given && periodStart && given > periodStart ? periodStart : (given ?? periodStart);

const quantities = z.int().min(1).max(1_000_000);

/** Reads a subscription of another system, with its current period. */
export const parseSubscription = (cells: Cells, reading: Reading): Parsed => {
  const parsed = emptyRow();
  const { errors } = parsed;
  const { now } = reading;
  const reader = cellReader(cells, errors, reading);
  const { value, moment, refuse, count } = reader;
  const named = readReference(reader, "reference");
  const customer = readCustomer(reader);
  const packaged = value("package", text({ max: 120 }), { isRequired: true });
  const typed = value("interval", text({ max: 40 }), { isRequired: true });
  const interval = typed === null ? null : readInterval(typed);
  if (typed !== null && !interval)
    refuse(
      "interval",
      message("import_interval_invalid", "Not a billing interval. Use month, year or 3 months."),
    );
  const currency = reader.currency();
  const price = reader.amount("price", currency);
  const quantity = count("quantity", quantities) ?? 1;
  const period = readPeriod(reader, now);
  refuseLongPeriod(reader, period, interval);
  const startedAt = startOf(moment("startedAt", { until: now }), period.start);
  const isEnding = readAnswer(cells, "cancelsAtPeriodEnd", reader) ?? false;
  const endedAt = readEnd(cells, reader, { periodEnd: period.end, isEnding, now });
  if (startedAt && endedAt && endedAt < startedAt)
    refuse("endedAt", message("import_end_early", "A subscription can't end before it starts."));
  if (errors.length > 0 || !named) return { ...parsed, email: customer.email };
  const isBilled = isBilledElsewhere(named.provider);
  return {
    key: keyOf(named.provider, named.reference),
    email: customer.email,
    errors,
    fields: {
      customer_id: customer.customerId,
      package: packaged,
      ...(interval && { interval: interval.interval, interval_count: interval.intervalCount }),
      currency,
      price,
      quantity,
      created_at: startedAt,
      period_start: period.start,
      period_end: period.end,
      is_ending: isEnding,
      ended_at: endedAt,
      billed_by: isBilled ? named.provider : null,
      billing_reference: isBilled ? named.reference : null,
    },
  };
};
