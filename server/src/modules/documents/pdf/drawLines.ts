import type { Canvas } from "./canvas.ts";
import type { Pages } from "./drawNotes.ts";
import type { Lines, Row, Sums } from "./lineTexts.ts";
import { colors, contentWidth, page, type Style, scaled, styles } from "./measures.ts";

/** Between columns and scale of the amounts, the most generous first. */
const fits = [
  { gap: 24, scale: 1 },
  { gap: 14, scale: 1 },
  { gap: 12, scale: 0.9 },
  { gap: 10, scale: 0.8 },
  { gap: 8, scale: 0.7 },
];
const descriptionMin = 160;

type Columns = { rights: number[]; descriptionWidth: number; style: Style; strong: Style };

const columnsAt = (
  canvas: Canvas,
  { columns, rows, cellsOf }: Lines,
  { gap, scale }: (typeof fits)[number],
): Columns => {
  const style = scaled(styles.body, scale);
  const strong = scaled(styles.strong, scale);
  const total = rows.reduce(
    (sum, { sums }) => ({
      net: sum.net + sums.net,
      tax: sum.tax + sums.tax,
      gross: sum.gross + sums.gross,
    }),
    { net: 0, tax: 0, gross: 0 },
  );
  const cells = [...rows.map((row) => row.cells), cellsOf(total)];
  const widths = columns
    .slice(1)
    .map((head, place) =>
      Math.max(
        canvas.widthOf(head, styles.column),
        ...cells.map((row) => canvas.widthOf(row[place] ?? "", strong)),
      ),
    );
  const rights = widths.map(
    (_, place) => page.right - widths.slice(place + 1).reduce((sum, width) => sum + width + gap, 0),
  );
  const taken = widths.reduce((sum, width) => sum + width + gap, 0);
  return { rights, descriptionWidth: contentWidth - taken, style, strong };
};

/** The amounts leave enough room for the description, or as much as they can. */
const columnsOf = (canvas: Canvas, lines: Lines) =>
  fits
    .map((fit) => columnsAt(canvas, lines, fit))
    .reduce((best, next) => (best.descriptionWidth < descriptionMin ? next : best));

type Sheet = {
  canvas: Canvas;
  lines: Lines;
  columns: Columns;
  /** Around the text of a row. Less in long tables. */
  padding: number;
  table: PDFKit.PDFStructureElement;
};

const columnsHeight = 14;

/** The head of the columns. Only the first one is part of the table for screen readers. */
const drawColumns = ({ canvas, lines, columns, table }: Sheet, top: number, isFirst: boolean) => {
  const y = top + 6;
  const row = isFirst ? canvas.group("TR", table) : null;
  const tag = row && ({ parent: row, type: "TH", scope: "Column" } as const);
  for (const [place, head] of lines.columns.entries())
    canvas.text(
      {
        lines: [head],
        x: place === 0 ? page.left : (columns.rights[place - 1] ?? page.right),
        y,
        style: styles.column,
        align: place === 0 ? "left" : "right",
      },
      tag,
    );
  canvas.rule(top + columnsHeight, page.left, page.right, colors.rule);
  return top + columnsHeight;
};

const drawCells = (
  { canvas, columns }: Sheet,
  cells: readonly string[],
  y: number,
  row: PDFKit.PDFStructureElement | null,
) => {
  for (const [place, cell] of cells.entries()) {
    const x = columns.rights[place] ?? page.right;
    const isTotal = place === cells.length - 1;
    const style = isTotal || row === null ? columns.strong : columns.style;
    const tag = row && { parent: row, type: "TD" };
    canvas.text({ lines: [cell], x, y, style, align: "right" }, tag);
  }
};

const carriedHeight = 24;

/** The sums so far, at the end of a page and at the start of the next one. */
const drawCarried = (sheet: Sheet, label: string, sums: Sums, top: number) => {
  const y = top + 15.5;
  sheet.canvas.text({ lines: [label], x: page.left, y, style: sheet.columns.strong }, null);
  drawCells(sheet, sheet.lines.cellsOf(sums), y, null);
  sheet.canvas.rule(top + carriedHeight, page.left, page.right, colors.rule);
  return top + carriedHeight;
};

const wrapped = ({ canvas, columns, padding }: Sheet, { name, details }: Row) => {
  const names = canvas.wrap(name, styles.strong, columns.descriptionWidth);
  // Beside the amounts there is only the first line, so the details have more room.
  const width = Math.min(contentWidth * 0.62, columns.descriptionWidth + 80);
  const below = details.flatMap((detail) => canvas.wrap(detail, styles.small, width));
  const height =
    names.length * styles.strong.leading + below.length * styles.small.leading + padding;
  return { names, below, height };
};

const drawRow = (sheet: Sheet, row: Row, top: number) => {
  const { canvas, table, padding } = sheet;
  const { names, below, height } = wrapped(sheet, row);
  const element = canvas.group("TR", table);
  const description = canvas.group("TD", element);
  const tag = { parent: description, type: "P" };
  const y = top + padding / 2 + 9.75;
  canvas.text({ lines: names, x: page.left, y, style: styles.strong }, tag);
  if (below.length > 0) {
    const next = y + names.length * styles.strong.leading - 0.5;
    canvas.text({ lines: below, x: page.left, y: next, style: styles.small }, tag);
  }
  drawCells(sheet, row.cells, y, element);
  canvas.rule(top + height);
  return top + height;
};

/**
 * The table of lines. A page that doesn't have room for the next line ends with the sums so far, and the next one
 * repeats the head and the sums. `after` is the height of what has to follow the last line on its page.
 */
export const drawLines = (
  canvas: Canvas,
  lines: Lines,
  { top, after, pages }: { top: number; after: number; pages: Pages },
) => {
  const columns = columnsOf(canvas, lines);
  const padding = lines.rows.length > 10 ? 10 : 15.5;
  const sheet = { canvas, lines, columns, padding, table: canvas.group("Table") };
  const heights = lines.rows.map((row) => wrapped(sheet, row).height);
  const [first = 0] = heights;
  const fitsOnFirst = top + columnsHeight + first + carriedHeight <= pages.bottom;
  let y = drawColumns(sheet, fitsOnFirst ? top : pages.next(), true);
  let sums: Sums = { net: 0, tax: 0, gross: 0 };
  for (const [place, row] of lines.rows.entries()) {
    const isLast = place === lines.rows.length - 1;
    const needed = (heights[place] ?? 0) + (isLast ? after : carriedHeight);
    if (place > 0 && y + needed > pages.bottom) {
      drawCarried(sheet, lines.carriedForward, sums, y);
      y = drawColumns(sheet, pages.next(), false);
      y = drawCarried(sheet, lines.broughtForward, sums, y);
    }
    y = drawRow(sheet, row, y);
    sums = {
      net: sums.net + row.sums.net,
      tax: sums.tax + row.sums.tax,
      gross: sums.gross + row.sums.gross,
    };
  }
  return y;
};
