import type { Canvas } from "./canvas.ts";
import type { Pages } from "./drawLines.ts";
import { page, type Style, styles } from "./measures.ts";
import type { Note } from "./noteTexts.ts";

const width = 330;

/** Paragraphs break between their lines where a page ends. */
export const drawNotes = (canvas: Canvas, notes: readonly Note[], top: number, pages: Pages) => {
  let y = top;
  const place = (
    line: string,
    style: Style,
    tag: { parent: PDFKit.PDFStructureElement; type: string },
  ) => {
    if (y > pages.bottom) y = pages.next();
    canvas.text({ lines: [line], x: page.left, y, style }, tag);
    y += style.leading + 0.5;
  };
  for (const { heading, paragraphs } of notes) {
    y += 32;
    // The heading isn't left alone at the end of a page.
    if (y + styles.quiet.leading * 2 > pages.bottom) y = pages.next();
    place(heading, styles.heading, { parent: canvas.root, type: "H2" });
    y += 4;
    for (const paragraph of paragraphs) {
      const element = canvas.group("P");
      for (const line of canvas.wrap(paragraph, styles.quiet, width))
        place(line, styles.quiet, { parent: element, type: "Span" });
      y += 3;
    }
    y -= 14;
  }
};
