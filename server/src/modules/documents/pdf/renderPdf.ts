import type { DocumentContent } from "@purser/contract/documents/content";
import { differenceIn } from "../rules.ts";
import { closeCanvas, openCanvas } from "./canvas.ts";
import { drawFooters, footerTop } from "./drawFooters.ts";
import { drawHead, drawShortHead } from "./drawHead.ts";
import { drawLines } from "./drawLines.ts";
import { drawNotes } from "./drawNotes.ts";
import { layTotals } from "./drawTotals.ts";
import { formatsOf } from "./formats.ts";
import { titleOf } from "./headTexts.ts";
import { linesOf } from "./lineTexts.ts";
import { notesOf, transferOf } from "./noteTexts.ts";
import { taxSummaryOf, totalsOf } from "./totalTexts.ts";

/** The document as a PDF, with the same bytes every time. A content that contradicts itself is a bug. */
export const renderPdf = (content: DocumentContent): Promise<Buffer> => {
  const difference = differenceIn(content);
  if (difference) {
    const { path, expected, found } = difference;
    throw new Error(`${content.number} has ${found} at ${path} instead of ${expected}.`);
  }
  const formats = formatsOf(content);
  const canvas = openCanvas({
    title: `${titleOf(content, formats)} ${content.number}`,
    author: content.seller.name,
    language: content.language,
    at: content.issuedAt,
  });
  const pages = {
    bottom: footerTop(canvas, content, formats) - 10,
    next: () => {
      canvas.doc.addPage();
      return drawShortHead(canvas, content, formats);
    },
  };
  const totals = layTotals(canvas, {
    totals: totalsOf(content, formats),
    taxes: taxSummaryOf(content, formats),
    transfer: transferOf(content, formats),
  });
  const top = drawHead(canvas, content, formats);
  const end = drawLines(canvas, linesOf(content, formats), { top, after: totals.height, pages });
  const below = totals.draw(end + totals.height <= pages.bottom ? end : pages.next());
  drawNotes(canvas, notesOf(content, formats), below, pages);
  drawFooters(canvas, content, formats);
  return closeCanvas(canvas);
};
