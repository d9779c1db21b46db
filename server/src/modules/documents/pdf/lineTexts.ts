import type { DocumentContent, DocumentLine } from "@purser/contract/documents/content";
import { message } from "#platform/messages.ts";
import type { Formats } from "./formats.ts";

/** What a page carries to the next one. */
export type Sums = { net: number; tax: number; gross: number };
export type Row = { name: string; details: string[]; cells: string[]; sums: Sums };

/** The amounts of a credit note are printed with a minus sign. */
export const signOf = ({ kind }: DocumentContent) => (kind === "invoice" ? 1 : -1);

/** Net before the discount. Prices on documents are without tax, also if the price list includes it. */
export const netBeforeDiscount = (
  { taxIncluded }: DocumentContent,
  { net, gross, discount, taxRate }: DocumentLine,
) =>
  taxIncluded && discount > 0
    ? Math.round((gross + discount) / (1 + taxRate / 10_000))
    : net + discount;

const discountOf = (off: string, name: string | null, { say }: Formats) =>
  name === null
    ? say(message("document_line_discount", "Discount {amount}", { amount: off }))
    : say(
        message("document_line_discount_named", "Discount {amount} ({name})", {
          amount: off,
          name,
        }),
      );

const priceOf = (content: DocumentContent, line: DocumentLine, formats: Formats) => {
  const { quantity, discount, discountName, net } = line;
  if (quantity === 1 && discount === 0) return [];
  const before = netBeforeDiscount(content, line);
  const amount = formats.unitPrice(before / quantity);
  const unit = formats.say(message("document_unit_price", "Net unit price {amount}", { amount }));
  if (discount === 0) return [unit];
  const off = formats.money(signOf(content) * (net - before));
  return [unit, discountOf(off, discountName, formats)];
};

const rowOf = (content: DocumentContent, line: DocumentLine, formats: Formats): Row => {
  const sign = signOf(content);
  const sums = { net: sign * line.net, tax: sign * line.tax, gross: sign * line.gross };
  const about = [line.period && formats.range(line.period), line.detail].filter(
    (part) => part !== null,
  );
  return {
    name: line.description,
    details: [about.join(" · "), priceOf(content, line, formats).join(" · ")].filter(
      (detail) => detail !== "",
    ),
    cells: [
      formats.count(line.quantity),
      formats.amount(sums.net),
      formats.percent(line.taxRate),
      formats.amount(sums.tax),
      formats.amount(sums.gross),
    ],
    sums,
  };
};

const columnsOf = ({ currency }: DocumentContent, { say, isVat }: Formats) => [
  say(message("document_description", "Description")),
  say(message("document_quantity", "Quantity")),
  say(message("document_net_in", "Net, {currency}", { currency })),
  isVat
    ? say(message("document_vat_rate", "VAT rate"))
    : say(message("document_tax_rate", "Tax rate")),
  isVat
    ? say(message("document_vat_in", "VAT, {currency}", { currency }))
    : say(message("document_tax_in", "Tax, {currency}", { currency })),
  say(message("document_total_in", "Total, {currency}", { currency })),
];

export const linesOf = (content: DocumentContent, formats: Formats) => ({
  columns: columnsOf(content, formats),
  rows: content.lines.map((line) => rowOf(content, line, formats)),
  carriedForward: formats.say(message("document_carried_forward", "Carried forward")),
  broughtForward: formats.say(message("document_brought_forward", "Brought forward")),
  /** The cells of a sum, under the columns of the rows. */
  cellsOf: ({ net, tax, gross }: Sums) => [
    "",
    formats.amount(net),
    "",
    formats.amount(tax),
    formats.amount(gross),
  ],
});
export type Lines = ReturnType<typeof linesOf>;
