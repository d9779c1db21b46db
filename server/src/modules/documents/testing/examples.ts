import type { DocumentContent, DocumentLine, TaxSummary } from "@purser/contract/documents/content";

/** The circle with a letter of a company that doesn't exist. */
const logo = {
  type: "svg" as const,
  width: 40,
  height: 40,
  paths: [
    {
      d: "M20 0a20 20 0 1 0 0 40a20 20 0 1 0 0 -40M20 1.3a18.7 18.7 0 1 1 0 37.4a18.7 18.7 0 1 1 0 -37.4",
      fill: "#162020",
    },
    { d: "M14.6 27V13h3.2l4.9 8.6V13h2.8v14h-3.1l-5 -8.7V27z", fill: "#162020" },
  ],
};

const seller = {
  name: "Northquay OÜ",
  tradingName: "Northquay",
  lines: ["Example Quay 1"],
  postalCode: "10111",
  city: "Tallinn",
  region: null,
  country: "EE",
  vatNumber: "EE000000000",
  registrationNumber: "00000000",
  email: "billing@example.com",
  website: "example.com/help",
  bank: { name: "Example Bank", iban: "EE000000000000000000", bic: "EXAMEE2X" },
  logo,
};

const buyer = {
  number: "US-31C7-40BD",
  name: "Bram Castelain",
  company: null,
  lines: ["Example Street 1"],
  postalCode: "1000 AA",
  city: "Amsterdam",
  region: null,
  country: "NL",
  vatNumber: null,
  email: "bram.castelain@example.net",
};

const year = { start: new Date("2026-09-02T07:00:00Z"), end: new Date("2027-09-02T07:00:00Z") };

export const exampleLine = (changes: Partial<DocumentLine>): DocumentLine => ({
  description: "Studio yearly",
  detail: null,
  quantity: 1,
  unitAmount: 12_000,
  period: year,
  discount: 0,
  discountName: null,
  net: 9917,
  taxName: "Standard",
  taxRate: 2100,
  taxCategory: "S",
  tax: 2083,
  gross: 12_000,
  ...changes,
});

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/** Sums of the lines, so that examples only have to differ in what they show. */
export const summed = (content: DocumentContent): DocumentContent => {
  const { lines, taxIncluded, payments } = content;
  const groups = Map.groupBy(lines, ({ taxCategory, taxRate }) => `${taxCategory} ${taxRate}`);
  const taxes = [...groups.values()].flatMap((own): TaxSummary[] => {
    const [first] = own;
    if (!first) return [];
    const { taxName, taxRate, taxCategory } = first;
    const net = sumOf(own.map((line) => line.net));
    const tax = sumOf(own.map((line) => line.tax));
    return [{ taxName, taxRate, taxCategory, country: "NL", net, tax, exemptionReason: null }];
  });
  const discount = sumOf(lines.map((line) => line.discount));
  const net = sumOf(lines.map((line) => line.net));
  const tax = sumOf(lines.map((line) => line.tax));
  const gross = net + tax;
  return {
    ...content,
    taxes,
    totals: { subtotal: (taxIncluded ? gross : net) + discount, discount, net, tax, gross },
    due: gross - sumOf(payments.map(({ amount }) => amount)),
  };
};

const exampleBase: DocumentContent = {
  kind: "invoice",
  number: "NQ-2026-098417",
  issuedAt: new Date("2026-09-02T07:00:12Z"),
  suppliedAt: new Date("2026-09-02T07:00:00Z"),
  language: "en-GB",
  timeZone: "Europe/Tallinn",
  currency: "EUR",
  reference: "TX-3LD8-Q0VN",
  buyerReference: null,
  seller,
  buyer,
  corrects: null,
  reason: null,
  taxIncluded: true,
  lines: [
    exampleLine({}),
    exampleLine({
      description: "Storage add-on yearly, 50 GB",
      unitAmount: 4000,
      net: 3306,
      tax: 694,
      gross: 4000,
    }),
    exampleLine({
      description: "Stamp pack",
      detail: "One-time purchase",
      period: null,
      unitAmount: 1500,
      net: 1240,
      tax: 260,
      gross: 1500,
    }),
  ],
  taxes: [],
  totals: { subtotal: 0, discount: 0, net: 0, tax: 0, gross: 0 },
  accountingTax: null,
  payments: [
    {
      method: "card",
      name: "Visa ··1881",
      at: new Date("2026-09-02T07:00:10Z"),
      amount: 17_500,
    },
  ],
  due: 0,
  dueDate: null,
  notes: [
    "VAT of the customer’s country, declared through the EU One Stop Shop. Studio and the storage add-on renew on 2 September 2027.",
  ],
};

/** The invoice of the worked example: 120.00 + 40.00 + 15.00 = 175.00. */
export const exampleInvoice = summed(exampleBase);

/** The credit note for the unused time of its first line. */
export const exampleCreditNote = summed({
  ...exampleBase,
  kind: "credit note",
  number: "NQC-2026-004811",
  issuedAt: new Date("2026-11-14T20:41:00Z"),
  suppliedAt: null,
  reference: "TX-5WR1-J8GE",
  corrects: { number: "NQ-2026-098417", issuedAt: new Date("2026-09-02T07:00:12Z") },
  reason: "Customer request.",
  lines: [
    exampleLine({
      description: "Studio yearly, unused time",
      detail: "79.8% of the period",
      unitAmount: null,
      period: { start: new Date("2026-11-14T20:41:00Z"), end: year.end },
      net: 7918,
      tax: 1663,
      gross: 9581,
    }),
  ],
  payments: [
    { method: "card", name: "Visa ··1881", at: new Date("2026-11-14T20:41:03Z"), amount: 9581 },
  ],
  notes: [],
});

export const germanInvoice: DocumentContent = { ...exampleInvoice, language: "de", notes: [] };

export const germanCreditNote = summed({
  ...exampleCreditNote,
  language: "de",
  reason: "Kündigung auf Wunsch des Kunden.",
  lines: exampleCreditNote.lines.map((line) => ({
    ...line,
    description: "Studio jährlich, nicht genutzte Zeit",
    detail: "79,8 % des Zeitraums",
    taxName: "Regelsatz",
  })),
});

/** To a company in another member state, which pays the tax itself. Paid by transfer after it was issued. */
export const reverseCharge = summed({
  ...exampleBase,
  number: "NQ-2026-098502",
  taxIncluded: false,
  buyer: {
    ...buyer,
    company: "Castelain Publishing B.V.",
    vatNumber: "NL000000000B00",
    email: "accounts@example.net",
  },
  buyerReference: "PO 2026/0417",
  lines: [
    exampleLine({
      description: "Team yearly",
      quantity: 12,
      unitAmount: 9917,
      net: 119_004,
      taxName: "Reverse charge",
      taxRate: 0,
      taxCategory: "AE",
      tax: 0,
      gross: 119_004,
    }),
  ],
  payments: [],
  dueDate: "2026-09-16",
  notes: [],
});
