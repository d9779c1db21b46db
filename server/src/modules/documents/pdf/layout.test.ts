import type { DocumentContent } from "@purser/contract/documents/content";
import { expect, test } from "vitest";
import {
  exampleCreditNote,
  exampleInvoice,
  germanCreditNote,
  reverseCharge,
} from "../testing/examples.ts";
import { type Piece, readPdf } from "../testing/readPdf.ts";
import {
  discounted,
  inCurrency,
  largeAmounts,
  longTexts,
  manyLines,
  namedBuyer,
} from "../testing/unusualExamples.ts";
import { page } from "./measures.ts";
import { renderPdf } from "./renderPdf.ts";

const read = async (content: DocumentContent) => (await readPdf(await renderPdf(content))).pages;

const amount = (value: number) =>
  value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

test("200 lines repeat the head of the table and carry the sums from page to page", async () => {
  const pages = await read(manyLines(200));
  expect(pages.length).toBeGreaterThan(5);
  let lines = 0;
  for (const [place, { rows }] of pages.entries()) {
    const sum = (lines * (lines + 1)) / 2;
    const sums = [sum, sum * 0.21, sum * 1.21].map(amount).join(" ");
    expect(rows).toContain("Description Quantity Net, EUR VAT rate VAT, EUR Total, EUR");
    if (place > 0) {
      expect(rows).toContain("Northquay OÜ Invoice NQ-2026-098417");
      expect(rows).toContain(`Brought forward ${sums}`);
      expect(pages[place - 1]?.rows).toContain(`Carried forward ${sums}`);
    }
    expect(rows.at(-1)).toContain(`Page ${place + 1} of ${pages.length}`);
    const own = rows.filter((row) => row.startsWith("Seat "));
    expect(own[0]).toContain(`Seat ${lines + 1} `);
    lines += own.length;
  }
  expect(lines).toBe(200);
  expect(pages.at(-1)?.rows).toContain("Total 24,321.00 EUR");
});

test("the last line is on the page of the totals", async () => {
  for (const count of [9, 12, 13, 14]) {
    const pages = await read(manyLines(count));
    const last = pages.findIndex(({ rows }) => rows.some((row) => row.startsWith("Total ")));
    expect(pages[last]?.rows.some((row) => row.startsWith(`Seat ${count} `))).toBe(true);
  }
});

const boxOf = ({ x, y, width, size }: Piece) => ({
  left: x,
  right: x + width,
  top: y - size * 0.72,
  bottom: y + size * 0.2,
});

const overlaps = (pieces: readonly Piece[]) =>
  pieces.flatMap((one, place) =>
    pieces.slice(place + 1).flatMap((other) => {
      const [a, b] = [boxOf(one), boxOf(other)];
      const isApart =
        a.right <= b.left + 0.2 ||
        b.right <= a.left + 0.2 ||
        a.bottom <= b.top ||
        b.bottom <= a.top;
      return isApart ? [] : [`${one.text} / ${other.text}`];
    }),
  );

const outside = (pieces: readonly Piece[]) =>
  pieces
    .filter((piece) => {
      const { left, right, top, bottom } = boxOf(piece);
      return (
        left < page.left - 0.2 || right > page.right + 0.2 || top < 36 || bottom > page.height - 24
      );
    })
    .map(({ text }) => text);

test("overlaps and texts outside of the margins are found", () => {
  const piece = { text: "a", x: 60, y: 100, width: 30, size: 10 };
  expect(overlaps([piece, { ...piece, text: "b", x: 80, y: 106 }])).toEqual(["a / b"]);
  expect(overlaps([piece, { ...piece, y: 112 }, { ...piece, x: 91 }])).toEqual([]);
  expect(outside([piece, { ...piece, text: "b", x: 530 }])).toEqual(["b"]);
});

const longest = {
  ...longTexts,
  payments: Array.from({ length: 8 }, () => ({
    method: "other" as const,
    name: "Überweisung mit einem sehr langen Namen der Bank, der umbricht",
    at: longTexts.issuedAt,
    amount: 1,
  })),
  due: longTexts.due - 8,
};

test.each(
  Object.entries({
    exampleInvoice,
    exampleCreditNote,
    germanCreditNote,
    reverseCharge,
    discounted,
    largeAmounts,
    longTexts,
    longest,
    yen: inCurrency("JPY", "de"),
    manyLines: manyLines(60, "de"),
    withoutLogo: { ...longTexts, seller: { ...longTexts.seller, logo: null, tradingName: null } },
  }),
)("no text of %s overlaps another one or leaves the page", async (_, content) => {
  for (const { pieces } of await read(content)) {
    expect(pieces.length).toBeGreaterThan(0);
    expect(overlaps(pieces)).toEqual([]);
    expect(outside(pieces)).toEqual([]);
  }
});

test("long texts are printed completely", async () => {
  const [first, second] = await read(longTexts);
  const squeezed = (text: string) => text.replace(/\s/g, "");
  const printed = squeezed(`${first?.text}${second?.text}`);
  const { seller, buyer, lines, number, reference, buyerReference } = longTexts;
  for (const text of [
    number,
    reference,
    buyerReference,
    seller.name,
    ...seller.lines,
    seller.city,
    seller.email,
    seller.website,
    buyer?.name,
    buyer?.company,
    ...(buyer?.lines ?? []),
    buyer?.email,
    lines[0]?.description,
    lines[0]?.detail,
  ])
    expect(printed).toContain(squeezed(text ?? ""));
});

test.each([
  ["Αλέξανδρος Παπαδόπουλος"],
  ["Людмила Щербакова"],
  ["Łukasz Żółć, Ğüleş Őrsi"],
  ["Đặng Thị Huyền"],
  ["Þórður Ægir Sæmundsson"],
])("prints the name %s", async (name) => {
  const [first] = await read(namedBuyer(name));
  expect(first?.text).toContain(name);
});

test("a character that the typeface lacks is replaced by a visible one", async () => {
  const [first] = await read(namedBuyer("Yamada 山田, محمد, 👩‍👩‍👧, ©️"));
  expect(first?.text).toContain("Yamada \uFFFD\uFFFD, \uFFFD\uFFFD\uFFFD\uFFFD, \uFFFD, ©");
});
