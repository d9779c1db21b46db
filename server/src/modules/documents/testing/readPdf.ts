import { getDocumentProxy } from "unpdf";

/** A text on a page, in points from the top left corner. `y` is its baseline. */
export type Piece = { text: string; x: number; y: number; width: number; size: number };

const piecesOf = (items: readonly object[], height: number): Piece[] =>
  items.flatMap((item) => {
    if (!("str" in item) || !("transform" in item) || !("width" in item)) return [];
    const [, , , size = 0, x = 0, y = 0] = item.transform as number[];
    const text = String(item.str).replace(/\s+/g, " ").trim();
    return text === "" ? [] : [{ text, x, y: height - y, width: Number(item.width), size }];
  });

/** What stands on one line, from left to right. */
const rowsOf = (pieces: readonly Piece[]) =>
  [...Map.groupBy(pieces, ({ y }) => Math.round(y * 2))]
    .sort(([one], [other]) => one - other)
    .map(([, row]) =>
      row
        .toSorted((one, other) => one.x - other.x)
        .map(({ text }) => text)
        .join(" "),
    );

/** Reads a PDF with pdf.js, which shares no code with what wrote it. */
export const readPdf = async (bytes: Uint8Array) => {
  const file = await getDocumentProxy(new Uint8Array(bytes));
  const { info, metadata } = await file.getMetadata();
  const markInfo = await file.getMarkInfo();
  const pages = await Promise.all(
    Array.from({ length: file.numPages }, async (_, place) => {
      const page = await file.getPage(place + 1);
      const { items } = await page.getTextContent();
      const { height } = page.getViewport({ scale: 1 });
      const pieces = piecesOf(items, height);
      return { pieces, rows: rowsOf(pieces), text: pieces.map(({ text }) => text).join(" ") };
    }),
  );
  return {
    pages,
    info: info as Record<string, unknown>,
    metadata,
    isTagged: markInfo?.Marked === true,
  };
};
