import type { Canvas, Tag } from "./canvas.ts";
import { page, type Style, styles } from "./measures.ts";
import type { Note } from "./noteTexts.ts";

/** The pages that the content continues on. */
export type Pages = {
  /** Where the space for content ends. */
  bottom: number;
  /** Adds a page with its head and returns where its content begins. */
  next: () => number;
};

const lineGap = 0.5;
const paragraphGap = 3;
const headingGap = 4;

/** A note that is never split. Returns where it ends. */
export const drawNote = (canvas: Canvas, note: Note, top: number, width: number) => {
  let y = top;
  const add = (text: string, style: Style, type: string) => {
    const lines = canvas.wrap(text, style, width);
    canvas.text({ lines, x: page.left, y, style }, { parent: canvas.root, type });
    y += lines.length * style.leading;
  };
  add(note.heading, styles.heading, "H2");
  y += headingGap;
  for (const paragraph of note.paragraphs) {
    add(paragraph, styles.quiet, "P");
    y += paragraphGap;
  }
  return y;
};

export const noteHeight = (canvas: Canvas, { paragraphs }: Note, width: number) =>
  styles.heading.leading +
  headingGap +
  paragraphs.reduce(
    (sum, paragraph) =>
      sum +
      paragraphGap +
      canvas.wrap(paragraph, styles.quiet, width).length * styles.quiet.leading,
    0,
  );

const notesWidth = 390;

/** Paragraphs break between their lines where a page ends. */
export const drawNotes = (canvas: Canvas, notes: readonly Note[], top: number, pages: Pages) => {
  let y = top;
  const place = (line: string, style: Style, tag: Tag) => {
    if (y > pages.bottom) y = pages.next();
    canvas.text({ lines: [line], x: page.left, y, style }, tag);
    y += style.leading + lineGap;
  };
  for (const { heading, paragraphs } of notes) {
    y += 32;
    // The heading isn't left alone at the end of a page.
    if (y + styles.quiet.leading * 2 > pages.bottom) y = pages.next();
    place(heading, styles.heading, { parent: canvas.root, type: "H2" });
    y += headingGap;
    for (const paragraph of paragraphs) {
      const element = canvas.group("P");
      for (const line of canvas.wrap(paragraph, styles.quiet, notesWidth))
        place(line, styles.quiet, { parent: element, type: "Span" });
      y += paragraphGap;
    }
    y -= 14;
  }
};
