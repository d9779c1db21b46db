import type { Canvas } from "./canvas.ts";
import { drawNote, noteHeight } from "./drawNotes.ts";
import { colors, contentWidth, page, type Style, styles } from "./measures.ts";
import type { Note } from "./noteTexts.ts";
import type { Amount, TaxTable, Totals } from "./totalTexts.ts";

const totalsLeft = page.left + 285;
const summaryWidth = 256;
const pitch = 21;

/** The label wraps in the room that the amount leaves. */
const drawAmount = (
  canvas: Canvas,
  [label, amount]: Amount,
  { table, y, style }: { table: PDFKit.PDFStructureElement; y: number; style: Style },
) => {
  const room = page.right - totalsLeft - canvas.widthOf(amount, style) - 10;
  const lines = canvas.wrap(label, style, room);
  const row = canvas.group("TR", table);
  canvas.text({ lines, x: totalsLeft, y, style }, { parent: row, type: "TH", scope: "Row" });
  canvas.text(
    { lines: [amount], x: page.right, y, style, align: "right" },
    { parent: row, type: "TD" },
  );
  return y + (lines.length - 1) * style.leading;
};

const drawAmounts = (canvas: Canvas, totals: Totals, top: number) => {
  const table = canvas.group("Table");
  let y = top + 4;
  const add = (amount: Amount, style: Style) => {
    y = drawAmount(canvas, amount, { table, y, style }) + pitch;
  };
  for (const part of totals.parts) add(part, styles.body);
  const [, total] = totals.total;
  canvas.rule(y - pitch + 11, totalsLeft, page.right, colors.sum);
  y += 6;
  add(totals.total, styles.total);
  const under = y - pitch + 8;
  const from = page.right - canvas.widthOf(total, styles.total);
  canvas.rule(under, from, page.right, colors.ink);
  canvas.rule(under + 2, from, page.right, colors.ink);
  y += 8;
  for (const payment of totals.payments) add(payment, styles.quiet);
  add(totals.left, styles.body);
  for (const tax of totals.accountingTax) add(tax, styles.quiet);
  return y - pitch + 6;
};

const gap = 12;
/** For rate and country. */
const textsMin = 110;

/** Where the columns of the tax table are in a width. */
const placesIn = (canvas: Canvas, { columns, rows }: TaxTable, width: number) => {
  const widest = (place: number) =>
    Math.max(
      canvas.widthOf(columns[place] ?? "", styles.column),
      ...rows.map((row) => canvas.widthOf(row[place] ?? "", styles.body)),
    );
  const right = page.left + width;
  const netRight = right - widest(3) - gap;
  const room = netRight - widest(2) - gap - page.left - gap;
  const rateWidth = Math.max(room * 0.4, Math.min(widest(0), room * 0.6));
  return {
    room,
    right,
    cells: [
      { x: page.left, align: "left", width: rateWidth },
      { x: page.left + rateWidth + gap, align: "left", width: room - rateWidth },
      { x: netRight, align: "right", width: Number.POSITIVE_INFINITY },
      { x: right, align: "right", width: Number.POSITIVE_INFINITY },
    ],
  } as const;
};
type Places = ReturnType<typeof placesIn>;

const drawSummary = (canvas: Canvas, taxes: TaxTable, { cells, right }: Places, top: number) => {
  const heading = { lines: [taxes.heading], x: page.left, y: top, style: styles.heading };
  canvas.text(heading, { parent: canvas.root, type: "H2" });
  const table = canvas.group("Table");
  const drawRow = (texts: readonly string[], y: number, style: Style, isHead: boolean) => {
    const row = canvas.group("TR", table);
    const tag = isHead
      ? ({ parent: row, type: "TH", scope: "Column" } as const)
      : { parent: row, type: "TD" };
    const lines = cells.map(({ width }, place) => canvas.wrap(texts[place] ?? "", style, width));
    for (const [place, { x, align }] of cells.entries())
      canvas.text({ lines: lines[place] ?? [], x, y, style, align }, tag);
    return y + (Math.max(...lines.map((cell) => cell.length)) - 1) * style.leading;
  };
  let y = drawRow(taxes.columns, top + 18, styles.column, true) + 8;
  canvas.rule(y, page.left, right, colors.rule);
  for (const row of taxes.rows) {
    y = drawRow(row, y + 14, styles.body, false) + 6.5;
    canvas.rule(y, page.left, right);
  }
  return y;
};

const summaryHeight = (canvas: Canvas, { rows }: TaxTable, { cells }: Places) =>
  rows.reduce((sum, row) => {
    const lines = cells.map(
      ({ width }, place) => canvas.wrap(row[place] ?? "", styles.body, width).length,
    );
    return sum + Math.max(...lines) * styles.body.leading + 7;
  }, 30);

/** No label takes more than two lines. */
const amountsHeight = ({ parts, payments, accountingTax }: Totals) =>
  pitch * (parts.length + 2 + accountingTax.length) + payments.length * (pitch + 13.5) + 20;

/**
 * Tax by rate and how to pay on the left, the sums on the right. Amounts that are too large for that are below the
 * tax table instead. `draw` returns where it ends.
 */
export const layTotals = (
  canvas: Canvas,
  { totals, taxes, transfer }: { totals: Totals; taxes: TaxTable; transfer: Note | null },
) => {
  const narrow = placesIn(canvas, taxes, summaryWidth);
  const isWide = narrow.room < textsMin;
  const places = isWide ? placesIn(canvas, taxes, contentWidth) : narrow;
  const summary = summaryHeight(canvas, taxes, places);
  const note = transfer ? noteHeight(canvas, transfer, summaryWidth) + 30 : 0;
  const amounts = amountsHeight(totals);
  const above = 28;
  return {
    height:
      above + (isWide ? summary + Math.max(note, amounts + 24) : Math.max(summary + note, amounts)),
    draw: (start: number) => {
      const top = start + above;
      const end = drawSummary(canvas, taxes, places, top);
      const noteEnd = transfer ? drawNote(canvas, transfer, end + 30, summaryWidth) : end;
      return Math.max(noteEnd, drawAmounts(canvas, totals, isWide ? end + 24 : top));
    },
  };
};
