import type { DocumentContent } from "@purser/contract/documents/content";
import { expect, test } from "vitest";
import {
  exampleCreditNote,
  exampleInvoice,
  germanCreditNote,
  germanInvoice,
  reverseCharge,
} from "../testing/examples.ts";
import { readPdf } from "../testing/readPdf.ts";
import { discounted, inCurrency, namedBuyer } from "../testing/unusualExamples.ts";
import { renderPdf } from "./renderPdf.ts";

const read = async (content: DocumentContent) => readPdf(await renderPdf(content));

/** Expects each of the texts to be on a line of the first page. */
const expectRows = async (content: DocumentContent, texts: readonly string[]) => {
  const { pages } = await read(content);
  const rows = pages[0]?.rows ?? [];
  for (const text of texts) expect(rows.some((row) => row.includes(text)) ? text : rows).toBe(text);
};

test("prints every amount of the worked example in English", async () => {
  await expectRows(exampleInvoice, [
    "Invoice",
    "NQ-2026-098417",
    "Bram Castelain Northquay OÜ",
    "1000 AA Amsterdam 10111 Tallinn",
    "VAT no. EE000000000",
    "2 Sept 2026, 10:00 – 2 Sept 2027, 10:00",
    "Description Quantity Net, EUR VAT rate VAT, EUR Total, EUR",
    "Studio yearly 1 99.17 21% 20.83 120.00",
    "Storage add-on yearly, 50 GB 1 33.06 21% 6.94 40.00",
    "Stamp pack 1 12.40 21% 2.60 15.00",
    "21% Standard Netherlands 144.63 30.37",
    "Net 144.63 EUR",
    "VAT 21% 30.37 EUR",
    "Total 175.00 EUR",
    "Paid with Visa ··1881 175.00 EUR",
    "Due 0.00 EUR",
    "Prices include VAT.",
    "Times are in the time zone Europe/Tallinn.",
    "Page 1 of 1",
  ]);
});

test("prints every amount of the worked example in German", async () => {
  await expectRows(germanInvoice, [
    "Rechnung",
    "Ausgestellt am 02.09.2026",
    "02.09.2026, 10:00 – 02.09.2027, 10:00",
    "Beschreibung Menge Netto, EUR USt.-Satz USt., EUR Gesamt, EUR",
    "Studio yearly 1 99,17 21 % 20,83 120,00",
    "Storage add-on yearly, 50 GB 1 33,06 21 % 6,94 40,00",
    "Stamp pack 1 12,40 21 % 2,60 15,00",
    "21 % Standard Niederlande 144,63 30,37",
    "USt. 21 % 30,37 EUR",
    "Gesamtbetrag 175,00 EUR",
    "Bezahlt mit Visa ··1881 175,00 EUR",
    "Offener Betrag 0,00 EUR",
    "Die Preise enthalten die Umsatzsteuer.",
    "Seite 1 von 1",
  ]);
});

test("a credit note names the invoice it corrects and has minus signs", async () => {
  await expectRows(exampleCreditNote, [
    "Credit note",
    "Corrects invoice NQ-2026-098417",
    "Invoice date 2 Sept 2026",
    "Studio yearly, unused time 1 −79.18 21% −16.63 −95.81",
    "14 Nov 2026, 22:41 – 2 Sept 2027, 10:00 · 79.8% of the period",
    "21% Standard Netherlands −79.18 −16.63",
    "Total −95.81 EUR",
    "Refunded to Visa ··1881 −95.81 EUR",
    "Left to refund 0.00 EUR",
    "Customer request.",
    "This credit note corrects invoice NQ-2026-098417 of 2 Sept 2026.",
  ]);
  await expectRows(germanCreditNote, [
    "Rechnungskorrektur",
    "Zu Rechnung NQ-2026-098417",
    "1 −79,18 21 % −16,63 −95,81",
    "Gesamtbetrag −95,81 EUR",
    "Erstattet auf Visa ··1881 −95,81 EUR",
  ]);
});

test("reverse charge has both VAT numbers and no VAT", async () => {
  await expectRows(reverseCharge, [
    "VAT no. NL000000000B00",
    "VAT no. EE000000000",
    "Team yearly 12 1,190.04 0% 0.00 1,190.04",
    "Net unit price 99.17 EUR",
    "VAT 0% 0.00 EUR",
    "Due 1,190.04 EUR",
    "IBAN EE00 0000 0000 0000 0000",
  ]);
  await expectRows({ ...reverseCharge, language: "de" }, [
    "USt-IdNr. NL000000000B00",
    "USt. 0 % 0,00 EUR",
  ]);
});

test.each([
  [
    "en-GB",
    "NL",
    "Reverse charge. The customer is liable for VAT under Article 196 of Council Directive 2006/112/EC.",
  ],
  [
    "de",
    "NL",
    "Steuerschuldnerschaft des Leistungsempfängers (Reverse-Charge-Verfahren) nach Artikel 196 der Richtlinie 2006/112/EG des Rates.",
  ],
  // Within a country and to others, the article doesn't apply.
  ["en-GB", "EE", "Reverse charge. The customer is liable for VAT. Times"],
  [
    "de",
    "GB",
    "Steuerschuldnerschaft des Leistungsempfängers (Reverse-Charge-Verfahren). Uhrzeiten",
  ],
] as const)(
  "reverse charge in %s to %s has the sentence of the law",
  async (language, country, text) => {
    const buyer = reverseCharge.buyer && { ...reverseCharge.buyer, country };
    const { pages } = await read({ ...reverseCharge, language, buyer });
    const squeezed = (one = "") => one.replace(/\s/g, "");
    expect(squeezed(pages[0]?.text)).toContain(squeezed(text));
  },
);

test.each([
  ["E", "This supply is exempt from VAT."],
  ["O", "This supply is outside the scope of VAT."],
] as const)(
  "category %s has its sentence, or the reason that was given",
  async (category, text) => {
    const content = (exemptionReason: string | null): DocumentContent => ({
      ...reverseCharge,
      lines: reverseCharge.lines.map((line) => ({ ...line, taxCategory: category })),
      taxes: reverseCharge.taxes.map((tax) => ({ ...tax, taxCategory: category, exemptionReason })),
    });
    await expectRows(content(null), [text]);
    const given = "Small business, no VAT.";
    await expectRows(content(given), [given]);
  },
);

test("prints quantities, discounts, several rates and payments", async () => {
  await expectRows(discounted, [
    "Studio yearly 3 238.02 21% 49.98 288.00",
    "Net unit price 99.1733 EUR · Discount −59.50 EUR (Launch 2026)",
    "Subtotal 317.52 EUR",
    "Discount −59.50 EUR",
    "Net 258.02 EUR",
    "VAT 21% 49.98 EUR",
    "VAT 9% 1.80 EUR",
    "Total 309.80 EUR",
    "Paid from customer balance, 5.00 EUR",
    "Paid with Visa ··1881, Sep 2, 2026 100.00 EUR",
    "Due 204.80 EUR",
  ]);
});

test.each([
  ["JPY", "en-US", "1 1,234,567 21% 259,259 1,493,826", "Total 1,493,827 JPY"],
  ["KWD", "de", "1 1.234,567 21 % 259,259 1.493,826", "Gesamtbetrag 1.493,827 KWD"],
] as const)("amounts in %s have its decimals", async (currency, language, row, total) => {
  await expectRows(inCurrency(currency, language), [row, total]);
});

test("without a VAT number the tax isn't called VAT", async () => {
  const seller = { ...exampleInvoice.seller, vatNumber: null };
  const { pages } = await read({ ...exampleInvoice, seller, notes: [] });
  expect(pages[0]?.text).toContain("Tax summary");
  expect(pages[0]?.text).not.toContain("VAT");
});

test("the tax in another currency is below what is due", async () => {
  const accountingTax = { currency: "USD", amount: 3539 };
  await expectRows({ ...exampleInvoice, accountingTax }, ["VAT in USD 35.39 USD"]);
});

test("after the retention period a document has no buyer", async () => {
  const { pages } = await read({ ...exampleInvoice, buyer: null });
  expect(pages[0]?.text).toContain("Removed after the retention period");
  expect(pages[0]?.text).not.toContain("Castelain");
  expect(pages[0]?.rows).toContain("Total 175.00 EUR");
});

test("has the same bytes for the same content, also while others are printed", async () => {
  const once = await renderPdf(exampleInvoice);
  const [again, other] = await Promise.all([
    renderPdf(structuredClone(exampleInvoice)),
    renderPdf(germanCreditNote),
  ]);
  expect(again.equals(once)).toBe(true);
  expect(other.equals(once)).toBe(false);
});

test("what was printed before doesn't change a document", async () => {
  // The letters f and i have the glyph of the ligature. Documents that shared glyphs would be the same.
  const letters = await renderPdf(namedBuyer("Fi fish"));
  const ligature = await renderPdf(namedBuyer("Fi \uFB01sh"));
  expect(ligature.equals(letters)).toBe(false);
  expect((await renderPdf(namedBuyer("Fi fish"))).equals(letters)).toBe(true);
});

test("says in its metadata what it is, in which language and by which seller", async () => {
  const seller = { ...exampleInvoice.seller, name: "Müller & Söhne <GmbH>" };
  const { info, metadata, isTagged } = await read({ ...germanInvoice, seller });
  expect(info).toMatchObject({
    Title: "Rechnung NQ-2026-098417",
    Author: "Müller & Söhne <GmbH>",
    Language: "de",
    CreationDate: "D:20260902070012Z",
  });
  expect(isTagged).toBe(true);
  expect(metadata?.get("pdfaid:part")).toBe("3");
  expect(metadata?.get("dc:creator")).toEqual(["Müller & Söhne <GmbH>"]);
});

/** One transparent pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

test("a logo can be a PNG file or paths, or be missing", async () => {
  const withLogo = (logo: DocumentContent["seller"]["logo"]) =>
    renderPdf({ ...exampleInvoice, seller: { ...exampleInvoice.seller, logo } });
  const png = { type: "png" as const, data: pixel };
  const [first, second] = [await withLogo(png), await withLogo(png)];
  expect(first.equals(second)).toBe(true);
  expect(first.includes("/Subtype /Image")).toBe(true);
  const plain = await withLogo(null);
  expect(plain.includes("/Subtype /Image")).toBe(false);
  expect((await readPdf(plain)).pages[0]?.rows[0]).toContain("Northquay");
});

test("refuses to print a content that contradicts itself", () => {
  expect(() => renderPdf({ ...exampleInvoice, due: 1, dueDate: "2026-09-16" })).toThrow(
    "NQ-2026-098417 has 1 at due instead of 0.",
  );
});
