import type { DocumentContent } from "@purser/contract/documents/content";
import { exampleInvoice, exampleLine, reverseCharge, summed } from "./examples.ts";

const paidBy = (content: DocumentContent) =>
  summed({
    ...content,
    payments: [
      {
        method: "card",
        name: "Visa ··1881",
        at: content.issuedAt,
        amount: content.lines.reduce((sum, { gross }) => sum + gross, 0),
      },
    ],
  });

/** An invoice of several pages: line n costs n.00 net. */
export const manyLines = (count: number, language: DocumentContent["language"] = "en-US") =>
  paidBy({
    ...exampleInvoice,
    language,
    taxIncluded: false,
    notes: [],
    lines: Array.from({ length: count }, (_, place) => {
      const net = (place + 1) * 100;
      const tax = net * 0.21;
      return exampleLine({
        description: `Seat ${place + 1}`,
        unitAmount: net,
        net,
        tax,
        gross: net + tax,
      });
    }),
  });

/** Two rates, discounts, a quantity, and three ways of payment of which the last one is still open. */
export const discounted = summed({
  ...exampleInvoice,
  language: "en-US",
  lines: [
    exampleLine({
      quantity: 3,
      unitAmount: 12_000,
      discount: 7200,
      discountName: "Launch 2026",
      net: 23_802,
      tax: 4998,
      gross: 28_800,
    }),
    exampleLine({
      description: "Handbook",
      detail: "One-time purchase",
      period: null,
      unitAmount: 2180,
      taxName: "Reduced",
      taxRate: 900,
      net: 2000,
      tax: 180,
      gross: 2180,
    }),
  ],
  payments: [
    { method: "balance", name: null, at: new Date("2026-09-02T07:00:00Z"), amount: 500 },
    { method: "card", name: "Visa ··1881", at: new Date("2026-09-02T07:00:10Z"), amount: 10_000 },
  ],
  dueDate: "2026-09-16",
  notes: [],
});

const long = (word: string, count: number) => Array.from({ length: count }, () => word).join(" ");

/** Every text as long as it can be, with words that can't be broken. */
export const longTexts = summed({
  ...reverseCharge,
  language: "de",
  number: "ABCDEFGHIJKLMNOPQRSTUVWXYZ-2026-00000001",
  reference: "TX-".padEnd(60, "0"),
  buyerReference: long("Bestellung", 9),
  seller: {
    ...reverseCharge.seller,
    name: `${long("Donaudampfschifffahrtsgesellschaft", 3)} <mbH> & Co. KG`,
    tradingName: long("Donaudampfschifffahrtsgesellschaft", 2),
    lines: [long("Hinterhaus", 9), "Straße".repeat(16), "Zweiter Stock"],
    city: long("Niederwiesenbach", 3),
    region: long("Oberfranken", 5),
    email: `${"rechnung".repeat(8)}@${"beispiel".repeat(7)}.example.com`,
    website: `example.com/${"hilfe".repeat(17)}`,
  },
  buyer: {
    ...(reverseCharge.buyer ?? { number: null, name: "", vatNumber: "NL000000000B00" }),
    company: `${long("Rindfleischetikettierung", 5)} AG`,
    name: "Wolfeschlegelsteinhausenbergerdorff".repeat(4),
    lines: Array.from({ length: 3 }, () => long("Straße des Beispiels", 4)),
    postalCode: "1000 AA",
    city: long("Llanfairpwllgwyngyll", 2),
    region: null,
    country: "NL",
    email: `${"name".repeat(16)}@${"example".repeat(8)}.example.net`,
  },
  lines: reverseCharge.lines.map((line) => ({
    ...line,
    description: long("Mannschaftspaket", 17),
    detail: "Abrechnungszeitraum".repeat(15),
    discountName: null,
    taxName: long("Steuerschuldnerschaft", 4),
  })),
  notes: Array.from({ length: 12 }, () => long("Dieser Hinweis ist sehr lang.", 33)),
});

/** Amounts that take all the room there is. */
export const largeAmounts = paidBy({
  ...exampleInvoice,
  language: "en-US",
  taxIncluded: false,
  lines: [1, 2].map((place) =>
    exampleLine({
      description: "Enterprise yearly",
      quantity: 100_000 * place,
      unitAmount: 2_000_000_000,
      net: 200_000_000_000_000 * place,
      tax: 42_000_000_000_000 * place,
      gross: 242_000_000_000_000 * place,
    }),
  ),
});

/** A currency with another number of decimals, with a minor amount and a large one. */
export const inCurrency = (currency: string, language: DocumentContent["language"]) =>
  paidBy({
    ...exampleInvoice,
    language,
    currency,
    taxIncluded: false,
    lines: [
      exampleLine({ unitAmount: 1, net: 1, tax: 0, gross: 1 }),
      exampleLine({ unitAmount: 1_234_567, net: 1_234_567, tax: 259_259, gross: 1_493_826 }),
    ],
    notes: [],
  });

/** A buyer with a name in the given characters. */
export const namedBuyer = (name: string): DocumentContent => ({
  ...exampleInvoice,
  buyer: exampleInvoice.buyer && { ...exampleInvoice.buyer, name },
});
