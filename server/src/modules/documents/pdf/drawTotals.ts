import type { Canvas } from "./canvas.ts";
import { colors, page, type Style, styles } from "./measures.ts";
import type { Amount, TaxTable, Totals } from "./totalTexts.ts";

const totalsLeft = page.left + 285;
const summaryRight = page.left + 256;
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

const drawSummary = (canvas: Canvas, { heading, columns, rows }: TaxTable, top: number) => {
  const lines = [heading];
  canvas.text(
    { lines, x: page.left, y: top, style: styles.heading },
    { parent: canvas.root, type: "H2" },
  );
  const table = canvas.group("Table");
  const widest = (place: number) =>
    Math.max(
      canvas.widthOf(columns[place] ?? "", styles.column),
      ...rows.map((row) => canvas.widthOf(row[place] ?? "", styles.body)),
    );
  const netRight = summaryRight - widest(3) - gap;
  const room = netRight - widest(2) - gap - page.left - gap;
  const rateWidth = Math.max(room * 0.4, Math.min(widest(0), room * 0.6));
  const places = [
    { x: page.left, align: "left", width: rateWidth },
    { x: page.left + rateWidth + gap, align: "left", width: room - rateWidth },
    { x: netRight, align: "right", width: Number.POSITIVE_INFINITY },
    { x: summaryRight, align: "right", width: Number.POSITIVE_INFINITY },
  ] as const;
  const drawRow = (cells: readonly string[], y: number, style: Style, type: "TH" | "TD") => {
    const row = canvas.group("TR", table);
    const wrapped = places.map(({ width }, place) => canvas.wrap(cells[place] ?? "", style, width));
    for (const [place, { x, align }] of places.entries())
      canvas.text(
        { lines: wrapped[place] ?? [], x, y, style, align },
        { parent: row, type, ...(type === "TH" && { scope: "Column" as const }) },
      );
    const more = Math.max(...wrapped.map((cell) => cell.length)) - 1;
    return y + more * style.leading;
  };
  let y = drawRow(columns, top + 18, styles.column, "TH") + 8;
  canvas.rule(y, page.left, summaryRight, colors.rule);
  for (const row of rows) {
    y = drawRow(row, y + 14, styles.body, "TD") + 6.5;
    canvas.rule(y, page.left, summaryRight);
  }
  return y;
};

/** An upper bound, so that the totals are never split. */
export const totalsHeight = (totals: Totals, { rows }: TaxTable) => {
  const amounts = totals.parts.length + totals.payments.length * 2 + totals.accountingTax.length;
  return Math.max(pitch * (amounts + 2) + 50, rows.length * 34 + 60);
};

/** Tax by rate on the left, the sums on the right. */
export const drawTotals = (canvas: Canvas, totals: Totals, taxes: TaxTable, top: number) =>
  Math.max(drawSummary(canvas, taxes, top + 28), drawAmounts(canvas, totals, top + 28));
