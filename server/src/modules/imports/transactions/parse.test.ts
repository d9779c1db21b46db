import { expect, test } from "vitest";
import { parseTransaction } from "./parse.ts";

const now = new Date("2026-06-01T12:00:00Z");
const reading = { now, decimalMark: "point", dateOrder: "month first" } as const;
const european = { now, decimalMark: "comma", dateOrder: "day first" } as const;
const valid = {
  reference: "pay-1",
  email: "ada@example.com",
  date: "2026-01-31",
  currency: "eur",
  amount: "11.90",
};
const parse = (cells: object) => parseTransaction({ ...valid, ...cells }, reading);

test.each([
  ["EUR", "11.90", 1190],
  ["EUR", "11.9", 1190],
  ["EUR", "11", 1100],
  ["EUR", "11.9000", 1190],
  ["EUR", "1,190.00", 119_000],
  ["EUR", "11.90 €", 1190],
  ["EUR", "EUR 11.90", 1190],
  ["USD", "$11.90", 1190],
  ["PLN", "11.90 zł", 1190],
  ["JPY", "1190", 1190],
  ["JPY", "1190.00", 1190],
  ["BHD", "1.234", 1234],
  ["BHD", "1.2", 1200],
])("reads %s %s as %i", (currency, amount, minor) => {
  expect(parse({ currency, amount }).fields).toMatchObject({ currency, amount: minor });
});

test.each([
  ["EUR", "1.234,50", 123_450],
  ["EUR", "1.234", 123_400],
  ["EUR", "1 234,5 €", 123_450],
  ["CHF", "1'234,50 CHF", 123_450],
  ["JPY", "1.234", 1234],
  ["KWD", "1,234", 1234],
])("reads %s %s with a decimal comma as %i", (currency, amount, minor) => {
  const cells = { ...valid, currency, amount, taxRate: "7,5 %", date: "31.01.2026" };
  const { errors, fields } = parseTransaction(cells, european);
  expect(errors).toEqual([]);
  expect(fields).toMatchObject({
    amount: minor,
    tax_basis_points: 750,
    created_at: new Date("2026-01-31"),
  });
});

test.each([
  ["amount", "11.90", "Not an amount. Use the form 1.234,50 or 1234,50."],
  ["date", "01/31/2026", "Not a date. Use the form 2026-12-31 or 31/12/2026."],
])("says in which form a %s is expected", (field, typed, text) => {
  const { errors } = parseTransaction({ ...valid, amount: "1", [field]: typed }, european);
  expect(errors.map((error) => [error.field, error.message.text])).toEqual([[field, text]]);
});

test.each([
  [{ currency: "JPY", amount: "11.5" }, "amount", "import_amount_decimals"],
  [{ currency: "BHD", amount: "1.2345" }, "amount", "import_amount_decimals"],
  [{ amount: "11.905" }, "amount", "import_amount_decimals"],
  [{ amount: "1.190,00" }, "amount", "import_amount_invalid"],
  [{ amount: "-5" }, "amount", "import_amount_negative"],
  [{ amount: "11.90 $" }, "amount", "import_amount_unit"],
  [{ amount: "USD 11.90" }, "amount", "import_amount_unit"],
  [{ amount: "1e3" }, "amount", "import_amount_invalid"],
  [{ amount: "99999999999999.00" }, "amount", "import_amount_large"],
  [{ amount: "0" }, "amount", "import_amount_zero"],
  [{ amount: "" }, "amount", "import_value_required"],
  [{ currency: "XXX" }, "currency", "currency_invalid"],
  [{ tax: "12" }, "tax", "import_amount_above_total"],
  [{ taxRate: "-1" }, "taxRate", "import_rate_invalid"],
  [{ taxRate: "101" }, "taxRate", "import_rate_invalid"],
  [{ date: "2026-06-02" }, "date", "import_date_future"],
  [{ date: "31.01.2026" }, "date", "import_date_form"],
  [{ date: "" }, "date", "import_value_required"],
  [{ status: "Failed" }, "status", "import_status_unpaid"],
  [{ status: "partially refunded" }, "refundedAmount", "import_refund_missing"],
  [{ refundedAmount: "12" }, "refundedAmount", "import_amount_above_total"],
  [{ refundedAmount: "1", refundedAt: "2026-01-30" }, "refundedAt", "import_refund_early"],
  [{ refundedAmount: "1", refundedAt: "2027-01-30" }, "refundedAt", "import_date_future"],
  [{ email: "" }, "email", "import_customer_missing"],
  [{ email: "nobody" }, "email", "email_invalid"],
  [{ reference: "" }, "reference", "import_value_required"],
  [{ provider: "renewal" }, "provider", "import_provider_reserved"],
  [{ provider: "1" }, "provider", "provider_invalid"],
  [{ periodStart: "2026-01-31" }, "periodEnd", "import_period_half"],
  [{ periodStart: "2026-01-31", periodEnd: "2026-01-31" }, "periodEnd", "import_period_order"],
  [{ subscription: "sub-1" }, "periodStart", "import_period_missing"],
])("rejects %j at its cell", (cells, field, code) => {
  const [error] = parse(cells).errors;
  expect([error?.field, error?.message.code]).toEqual([field, code]);
});

test.each([
  [{}, { tax: 0, tax_treatment: "none", refunded: 0 }],
  [{ taxRate: "19 %" }, { tax: 190, tax_treatment: "provider", tax_basis_points: 1900 }],
  [{ taxRate: "7.5" }, { tax: 83, tax_basis_points: 750 }],
  [{ tax: "1.91", taxRate: "19" }, { tax: 191 }],
  [
    { status: "Refunded", tax: "1.90" },
    { refunded: 1190, refunded_tax: 190 },
  ],
  [
    { refundedAmount: "5", tax: "1.90" },
    { refunded: 500, refunded_tax: 80 },
  ],
  [{ status: "paid", refundedAmount: "0.00" }, { refunded: 0 }],
  [{ reference: "ch_3Nab" }, { provider: "stripe" }],
  [{ provider: "Card Line" }, { provider: "card-line" }],
  [{ provider: "PayPal Inc." }, { provider: "paypal-inc" }],
  [{ provider: "Überweisung (Bank)" }, { provider: "uberweisung-bank" }],
])("reads %j", (cells, fields) => {
  const parsed = parse(cells);
  expect(parsed.errors).toEqual([]);
  expect(parsed.fields).toMatchObject(fields);
});
