import type { DocumentContent, DocumentLine } from "@purser/contract/documents/content";
import { documentContent } from "@purser/contract/documents/content";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "#runs.testing.ts";
import { differenceIn } from "./rules.ts";
import {
  exampleCreditNote,
  exampleInvoice,
  exampleLine,
  reverseCharge,
  summed,
} from "./testing/examples.ts";
import { discounted, largeAmounts, longTexts, manyLines } from "./testing/unusualExamples.ts";

const examples = {
  exampleInvoice,
  exampleCreditNote,
  reverseCharge,
  discounted,
  largeAmounts,
  longTexts,
  manyLines: manyLines(200),
};

test.each(Object.entries(examples))("%s is valid and adds up", (_, content) => {
  expect(documentContent.decode(documentContent.encode(content))).toEqual(content);
  expect(differenceIn(content)).toBeNull();
});

test("a stored content has moments as ISO 8601 and amounts as integers", () => {
  const stored = JSON.parse(JSON.stringify(documentContent.encode(exampleInvoice)));
  expect(stored).toMatchObject({
    issuedAt: "2026-09-02T07:00:12.000Z",
    lines: [{ net: 9917, period: { end: "2027-09-02T07:00:00.000Z" } }, {}, {}],
    totals: { subtotal: 17_500, discount: 0, net: 14_463, tax: 3037, gross: 17_500 },
  });
  expect(documentContent.parse(stored)).toEqual(exampleInvoice);
});

const changedLine = (content: DocumentContent, changes: Partial<DocumentLine>) => ({
  ...content,
  lines: content.lines.map((line, place) => (place === 1 ? { ...line, ...changes } : line)),
});
const changedTax = (
  content: DocumentContent,
  changes: Partial<DocumentContent["taxes"][number]>,
) => ({
  ...content,
  taxes: content.taxes.map((tax) => ({ ...tax, ...changes })),
});
const invoice = exampleInvoice;
const [first] = exampleInvoice.taxes;
if (!first) throw new Error("The example has no tax.");

test.each<[string, DocumentContent, object]>([
  [
    "a gross amount",
    changedLine(invoice, { gross: 4001 }),
    { path: "lines.1.gross", expected: 4000, found: 4001 },
  ],
  [
    "a unit amount",
    changedLine(invoice, { unitAmount: 3999 }),
    { path: "lines.1.gross", expected: 3999, found: 4000 },
  ],
  ["a discount", changedLine(invoice, { discount: 1 }), { path: "lines.1.gross", expected: 3999 }],
  ["a quantity of 0", changedLine(invoice, { quantity: 0 }), { path: "lines.1.quantity" }],
  ["a standard rate of 0", changedLine(invoice, { taxRate: 0 }), { path: "lines.1.taxRate" }],
  [
    "an exemption with a rate",
    changedLine(invoice, { taxCategory: "E" }),
    { path: "lines.1.taxRate", expected: 0, found: 2100 },
  ],
  [
    "a line of another rate",
    changedLine(invoice, { taxRate: 900 }),
    { path: "taxes.0.net", expected: 11_157, found: 14_463 },
  ],
  [
    "a name of a rate",
    changedTax(invoice, { taxName: "Reduced" }),
    { path: "taxes.0.taxName", expected: "Standard" },
  ],
  [
    "a net of a rate",
    changedTax(invoice, { net: 14_464 }),
    { path: "taxes.0.net", expected: 14_463 },
  ],
  ["a tax of a rate", changedTax(invoice, { tax: 3038 }), { path: "taxes.0.tax", expected: 3037 }],
  ["a rate twice", { ...invoice, taxes: [first, first] }, { path: "taxes.1", expected: "taxes.0" }],
  [
    "a rate without lines",
    { ...invoice, taxes: [first, { ...first, taxRate: 900 }] },
    { path: "taxes.1.taxName", expected: null },
  ],
  [
    "no taxes of a line",
    { ...reverseCharge, lines: [...reverseCharge.lines, exampleLine({ unitAmount: null })] },
    { path: "taxes", found: "S 2100" },
  ],
  [
    "a subtotal",
    { ...invoice, totals: { ...invoice.totals, subtotal: 1 } },
    { path: "totals.subtotal", expected: 17_500 },
  ],
  [
    "a discount of the total",
    { ...invoice, totals: { ...invoice.totals, discount: 1 } },
    { path: "totals.discount", expected: 0 },
  ],
  [
    "a net total",
    { ...invoice, totals: { ...invoice.totals, net: 14_464 } },
    { path: "totals.net", expected: 14_463 },
  ],
  [
    "a tax total",
    { ...invoice, totals: { ...invoice.totals, tax: 3038 } },
    { path: "totals.tax", expected: 3037 },
  ],
  [
    "a gross total",
    { ...invoice, totals: { ...invoice.totals, gross: 17_501 } },
    { path: "totals.gross", expected: 17_500 },
  ],
  [
    "what is due",
    { ...invoice, due: 1, dueDate: "2026-09-16" },
    { path: "due", expected: 0, found: 1 },
  ],
  ["no payment", { ...invoice, payments: [] }, { path: "due", expected: 17_500, found: 0 }],
  ["no date until when it is due", { ...reverseCharge, dueDate: null }, { path: "dueDate" }],
  [
    "a credit note without an invoice",
    { ...exampleCreditNote, corrects: null },
    { path: "corrects" },
  ],
  [
    "an invoice that corrects another",
    { ...invoice, corrects: exampleCreditNote.corrects },
    { path: "corrects" },
  ],
  [
    "reverse charge without the seller's VAT number",
    { ...reverseCharge, seller: { ...reverseCharge.seller, vatNumber: null } },
    { path: "seller.vatNumber" },
  ],
  [
    "reverse charge without the buyer's VAT number",
    { ...reverseCharge, buyer: invoice.buyer },
    { path: "buyer.vatNumber" },
  ],
  [
    "a tax far from its rate",
    summed(changedLine(invoice, { net: 3000, tax: 1000, gross: 4000 })),
    { path: "taxes.0.taxRate" },
  ],
  [
    "a supply outside of the tax next to a taxed one",
    summed(changedLine(invoice, { taxCategory: "O", taxRate: 0, net: 4000, tax: 0 })),
    { path: "taxes" },
  ],
])("refuses %s that contradicts the rest", (_, content, difference) => {
  expect(differenceIn(content)).toMatchObject(difference);
});

test("a credit note without its buyer adds up, also with reverse charge", () => {
  expect(differenceIn({ ...reverseCharge, buyer: null })).toBeNull();
});

const anyLine = fc
  .record({
    quantity: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constant(1), fc.constant(-1)),
    unitAmount: fc.integer({ min: 0, max: 2_000_000 }),
    off: fc.integer({ min: 0, max: 100 }),
    isLump: fc.boolean(),
    rate: fc.constantFrom(
      ["S", 2100] as const,
      ["S", 900] as const,
      ["S", 1950] as const,
      ["Z", 0] as const,
      ["E", 0] as const,
      ["AE", 0] as const,
    ),
  })
  .map((line) => ({ ...line, full: line.quantity * line.unitAmount }));

const anyContent = fc
  .record({
    taxIncluded: fc.boolean(),
    parts: fc.array(anyLine, { minLength: 1, maxLength: 12 }),
    currency: fc.constantFrom("EUR", "JPY", "KWD"),
    paid: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 3 }),
  })
  .map(({ taxIncluded, parts, currency, paid }) => {
    const lines = parts.map(({ quantity, unitAmount, off, isLump, rate, full }) => {
      const discount = quantity > 0 ? Math.floor((full * off) / 100) : 0;
      const base = full - discount;
      const [taxCategory, taxRate] = rate;
      const net = taxIncluded ? Math.round(base / (1 + taxRate / 10_000)) : base;
      const tax = taxIncluded ? base - net : Math.round((base * taxRate) / 10_000);
      const taxName = `${taxCategory} ${taxRate}`;
      const kept = { taxName, taxRate, taxCategory, net, tax, gross: net + tax };
      return exampleLine({ quantity, unitAmount: isLump ? null : unitAmount, discount, ...kept });
    });
    const unpaid = summed({ ...reverseCharge, taxIncluded, currency, lines, payments: [] });
    const payments = paid.map((share) => ({
      method: "card" as const,
      name: null,
      at: unpaid.issuedAt,
      amount: Math.max(0, Math.floor((unpaid.totals.gross * share) / 100 / paid.length)),
    }));
    return summed({ ...unpaid, payments });
  })
  .filter(({ totals }) => Math.min(totals.net, totals.tax, totals.gross) >= 0);

const numRuns = sized({ gate: 300, nightly: 100_000 });

test("a content whose sums come from its lines is valid and adds up", () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      expect(documentContent.encode(content)).toBeDefined();
      expect(differenceIn(content)).toBeNull();
    }),
    { numRuns },
  );
});

/** Every amount of a content, as a function that changes it. */
const changesOf = (content: DocumentContent, by: number): DocumentContent[] => {
  const { lines, taxes, totals, payments, due } = content;
  return [
    ...lines.flatMap((line, place) =>
      (["net", "tax", "gross", "discount"] as const).map((part) => ({
        ...content,
        lines: lines.with(place, { ...line, [part]: line[part] + by }),
      })),
    ),
    ...taxes.flatMap((tax, place) =>
      (["net", "tax"] as const).map((part) => ({
        ...content,
        taxes: taxes.with(place, { ...tax, [part]: tax[part] + by }),
      })),
    ),
    ...(["subtotal", "discount", "net", "tax", "gross"] as const).map((part) => ({
      ...content,
      totals: { ...totals, [part]: totals[part] + by },
    })),
    ...payments.map((payment, place) => ({
      ...content,
      payments: payments.with(place, { ...payment, amount: payment.amount + by }),
    })),
    { ...content, due: due + by },
  ];
};

test("no single amount can be changed without a difference", () => {
  fc.assert(
    fc.property(
      anyContent,
      fc.integer({ min: -1000, max: 1000 }).filter((by) => by !== 0),
      (content, by) => {
        for (const changed of changesOf(content, by)) expect(differenceIn(changed)).not.toBeNull();
      },
    ),
    { numRuns },
  );
});
