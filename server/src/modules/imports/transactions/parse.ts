import { text } from "@purser/contract/fields/text";
import { creditAmount } from "#modules/billing/credits.ts";
import { message } from "#platform/messages.ts";
import {
  type CellReader,
  type Cells,
  cellReader,
  emptyRow,
  type Parsed,
  type Reading,
} from "../cells.ts";
import { keyOf, readCustomer, readReference } from "../history.ts";

const simple = (typed: string) => typed.toLowerCase().replaceAll(/[\s_-]+/g, " ");

const statuses: Readonly<Record<string, "paid" | "refunded" | "partially refunded">> = {
  paid: "paid",
  succeeded: "paid",
  captured: "paid",
  complete: "paid",
  completed: "paid",
  refunded: "refunded",
  "partial refund": "partially refunded",
  "partially refunded": "partially refunded",
  "partly refunded": "partially refunded",
};

const readStatus = ({ status }: Cells, { refuse }: CellReader) => {
  if (!status?.trim()) return "paid";
  return (
    statuses[simple(status.trim())] ??
    refuse(
      "status",
      message("import_status_unpaid", "Only paid and refunded transactions can be imported."),
    )
  );
};

/** A percentage in hundredths, such as 1900 for "19" or "19 %". */
const readRate = ({ taxRate }: Cells, { refuse, number }: CellReader) => {
  const typed = taxRate?.trim();
  if (!typed) return null;
  const read = number(typed, "%") ?? "";
  const points = /^\d{1,3}(\.\d{1,2}0*)?$/.test(read) ? Math.round(Number(read) * 100) : -1;
  return points >= 0 && points <= 10_000
    ? points
    : refuse("taxRate", message("import_rate_invalid", "Not a rate. Use the form 19 or 7.5."));
};

/** The tax within an amount, rounded half up. */
const taxWithin = (amount: number, basisPoints: number) => {
  const [part, whole] = [BigInt(basisPoints), BigInt(10_000 + basisPoints)];
  return Number((2n * BigInt(amount) * part + whole) / (2n * whole));
};

const tooLarge = message("import_amount_above_total", "This can't be more than the amount.");

const readAmounts = (cells: Cells, reader: CellReader) => {
  const { refuse } = reader;
  const currency = reader.currency();
  const amount = reader.amount("amount", currency, { isRequired: true });
  if (amount === 0) refuse("amount", message("import_amount_zero", "Enter more than 0."));
  const rate = readRate(cells, reader);
  const given = reader.amount("tax", currency);
  const tax = given ?? (rate === null || amount === null ? 0 : taxWithin(amount, rate));
  if (amount !== null && tax > amount) refuse("tax", tooLarge);
  return { currency, amount: amount ?? 0, tax, rate, hasTax: given !== null || rate !== null };
};

const readRefunded = (
  cells: Cells,
  reader: CellReader,
  currency: string | null,
  amount: number,
) => {
  const { refuse } = reader;
  const status = readStatus(cells, reader);
  const given = reader.amount("refundedAmount", currency);
  if (given !== null && given > amount) refuse("refundedAmount", tooLarge);
  if (status === "partially refunded" && !given)
    refuse(
      "refundedAmount",
      message("import_refund_missing", "Enter how much of it was refunded."),
    );
  return status === "refunded" ? given || amount : (given ?? 0);
};

const readPeriod = (reader: CellReader) => {
  const { refuse, moment } = reader;
  const [start, end] = [moment("periodStart"), moment("periodEnd")];
  if (start && end && start >= end)
    refuse("periodEnd", message("import_period_order", "The period must end after it starts."));
  if ((start === null) !== (end === null))
    refuse(
      start ? "periodEnd" : "periodStart",
      message("import_period_half", "A period needs a start and an end."),
    );
  return { start, end };
};

/** Reads a payment of the past. Its amount includes the tax. */
export const parseTransaction = (cells: Cells, reading: Reading): Parsed => {
  const parsed = emptyRow();
  const { errors } = parsed;
  const { now } = reading;
  const reader = cellReader(cells, errors, reading);
  const { value, moment, refuse } = reader;
  const named = readReference(reader, "reference");
  const customer = readCustomer(reader);
  const date = moment("date", { isRequired: true, until: now });
  const { currency, amount, tax, rate, hasTax } = readAmounts(cells, reader);
  const refunded = readRefunded(cells, reader, currency, amount);
  const refundedAt = moment("refundedAt", { until: now }) ?? date;
  if (date && refundedAt && refundedAt < date)
    refuse("refundedAt", message("import_refund_early", "A refund can't be before its payment."));
  const period = readPeriod(reader);
  const ofSubscription = cells.subscription?.trim() ? readReference(reader, "subscription") : null;
  if (ofSubscription && !period.start)
    refuse(
      "periodStart",
      message("import_period_missing", "Enter the period of the subscription that was paid."),
    );
  const name = value("description", text({ max: 200 }));
  const packaged = value("package", text({ max: 120 }));
  if (errors.length > 0 || !named || !date) return { ...parsed, email: customer.email };
  // The product's own rule, so that later refunds of the rest add up.
  const back = creditAmount({ net: amount - tax, tax, period: null, credits: [] }, refunded);
  return {
    key: keyOf(named.provider, named.reference),
    email: customer.email,
    errors,
    fields: {
      ...named,
      customer_id: customer.customerId,
      created_at: date,
      currency,
      amount,
      tax,
      tax_treatment: hasTax ? "provider" : "none",
      tax_basis_points: rate,
      refunded,
      refunded_tax: back.tax,
      refunded_at: refundedAt,
      name,
      package: packaged,
      subscription: ofSubscription && keyOf(ofSubscription.provider, ofSubscription.reference),
      period_start: period.start,
      period_end: period.end,
    },
  };
};
