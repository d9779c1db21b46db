import type { DocumentContent } from "@purser/contract/documents/content";
import type { Canvas } from "./canvas.ts";
import type { Formats } from "./formats.ts";
import { footerOf, pageOf } from "./headTexts.ts";
import { page, styles } from "./measures.ts";

/** The widths of the columns. What is left is between them. */
const widths = [160, 120, 115, 90];
const gap = (page.right - page.left - widths.reduce((sum, width) => sum + width)) / 3;
const bottom = page.height - 34;

const linesMax = 5;

/** An address that is too long for a footer is only at the top of the first page. */
const wrapped = (canvas: Canvas, content: DocumentContent, formats: Formats) =>
  footerOf(content, formats).map((texts, place) => {
    const wrap = (text: string) => canvas.wrap(text, styles.footer, widths[place] ?? 0);
    const lines = texts.flatMap(wrap);
    return place === 0 && lines.length > linesMax ? wrap(texts[0] ?? "") : lines;
  });

const heightOf = (columns: readonly (readonly string[])[]) =>
  Math.max(2, ...columns.map((lines) => lines.length)) * styles.footer.leading;

/** Where the footer begins: the rest of the page has to end above. */
export const footerTop = (canvas: Canvas, content: DocumentContent, formats: Formats) =>
  bottom - heightOf(wrapped(canvas, content, formats)) - 12;

/** At the end, because only then the number of pages is known. */
export const drawFooters = (canvas: Canvas, content: DocumentContent, formats: Formats) => {
  const columns = wrapped(canvas, content, formats);
  const top = footerTop(canvas, content, formats);
  const { count } = canvas.doc.bufferedPageRange();
  for (let number = 1; number <= count; number++) {
    canvas.doc.switchToPage(number - 1);
    canvas.rule(top);
    for (const [place, column] of columns.entries()) {
      const isLast = place === columns.length - 1;
      const lines = isLast ? [...column, pageOf(number, count, formats)] : column;
      const before = widths.slice(0, place).reduce((sum, width) => sum + width, 0);
      canvas.text(
        {
          lines,
          x: isLast ? page.right : page.left + before + place * gap,
          y: top + 17,
          style: styles.footer,
          align: isLast ? "right" : "left",
        },
        null,
      );
    }
  }
};
