import type { DocumentContent, Payment } from "@purser/contract/documents/content";
import { message } from "#platform/messages.ts";
import type { Formats } from "./formats.ts";
import { netBeforeDiscount, signOf } from "./lineTexts.ts";

export type Amount = readonly [label: string, amount: string];

const paidWith: Record<Payment["method"], ReturnType<typeof message>> = {
  balance: message("document_paid_from_balance", "Paid from customer balance"),
  card: message("document_paid_by_card", "Paid by card"),
  "bank transfer": message("document_paid_by_transfer", "Paid by bank transfer"),
  "direct debit": message("document_paid_by_debit", "Paid by direct debit"),
  cash: message("document_paid_in_cash", "Paid in cash"),
  other: message("document_paid", "Paid"),
};

const refundedTo: Record<Payment["method"], ReturnType<typeof message>> = {
  balance: message("document_credited_to_balance", "Credited to customer balance"),
  card: message("document_refunded_to_card", "Refunded to card"),
  "bank transfer": message("document_refunded_by_transfer", "Refunded by bank transfer"),
  "direct debit": message("document_refunded_by_debit", "Refunded to bank account"),
  cash: message("document_refunded_in_cash", "Refunded in cash"),
  other: message("document_refunded", "Refunded"),
};

const methodOf = ({ kind }: DocumentContent, { method, name }: Payment) => {
  if (name === null || method === "balance")
    return kind === "invoice" ? paidWith[method] : refundedTo[method];
  return kind === "invoice"
    ? message("document_paid_with", "Paid with {method}", { method: name })
    : message("document_refunded_to", "Refunded to {method}", { method: name });
};

/** With its date if there are several. The date of the only one is at the top of the document. */
const paymentOf = (content: DocumentContent, payment: Payment, formats: Formats): Amount => {
  const method = formats.say(methodOf(content, payment));
  const amount = formats.money(signOf(content) * payment.amount);
  return content.payments.length === 1
    ? [method, amount]
    : [`${method}, ${formats.date(payment.at)}`, amount];
};

const taxLabel = (rate: string, { say, isVat }: Formats) =>
  isVat
    ? say(message("document_vat_at", "VAT {rate}", { rate }))
    : say(message("document_tax_at", "Tax {rate}", { rate }));

const discountAmounts = (content: DocumentContent, { say, money }: Formats): Amount[] => {
  const { lines, totals } = content;
  if (totals.discount === 0) return [];
  const sign = signOf(content);
  const before = lines.reduce((sum, line) => sum + netBeforeDiscount(content, line), 0);
  return [
    [say(message("document_subtotal", "Subtotal")), money(sign * before)],
    [say(message("document_discount", "Discount")), money(sign * (totals.net - before))],
  ];
};

const accountingTaxOf = (content: DocumentContent, formats: Formats): Amount[] => {
  if (content.accountingTax === null) return [];
  const { currency, amount } = content.accountingTax;
  const label = formats.isVat
    ? message("document_vat_in_currency", "VAT in {currency}", { currency })
    : message("document_tax_in_currency", "Tax in {currency}", { currency });
  return [[formats.say(label), formats.moneyIn(currency)(signOf(content) * amount)]];
};

export const totalsOf = (content: DocumentContent, formats: Formats) => {
  const { totals, taxes, payments, kind, due } = content;
  const { say, money, percent } = formats;
  const sign = signOf(content);
  const total: Amount = [say(message("document_total", "Total")), money(sign * totals.gross)];
  const left: Amount = [
    kind === "invoice"
      ? say(message("document_due", "Due"))
      : say(message("document_left_to_refund", "Left to refund")),
    money(sign * due),
  ];
  return {
    parts: [
      ...discountAmounts(content, formats),
      [say(message("document_net", "Net")), money(sign * totals.net)] as const,
      ...taxes.map(
        ({ taxRate, tax }) => [taxLabel(percent(taxRate), formats), money(sign * tax)] as const,
      ),
    ],
    total,
    payments: payments.map((payment) => paymentOf(content, payment, formats)),
    left,
    accountingTax: accountingTaxOf(content, formats),
  };
};
export type Totals = ReturnType<typeof totalsOf>;

/** Tax by rate, as the law requires it. */
export const taxSummaryOf = (content: DocumentContent, formats: Formats) => {
  const { taxes, currency } = content;
  const { say, isVat, amount, percent, country } = formats;
  const sign = signOf(content);
  return {
    heading: isVat
      ? say(message("document_vat_summary", "VAT summary"))
      : say(message("document_tax_summary", "Tax summary")),
    columns: [
      say(message("document_rate", "Rate")),
      say(message("document_country", "Country")),
      say(message("document_net_in", "Net, {currency}", { currency })),
      isVat
        ? say(message("document_vat_in", "VAT, {currency}", { currency }))
        : say(message("document_tax_in", "Tax, {currency}", { currency })),
    ],
    rows: taxes.map((summary) => [
      `${percent(summary.taxRate)} ${summary.taxName}`,
      summary.country === null ? "" : country(summary.country),
      amount(sign * summary.net),
      amount(sign * summary.tax),
    ]),
  };
};
export type TaxTable = ReturnType<typeof taxSummaryOf>;
