/**
 * Reads CSV like a spreadsheet that is set to this separator. Quotes count only at the start of a field, so a field that
 * was quoted for another separator falls apart.
 */
export const readCsv = (text: string, separator = ",") => {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endsField = () =>
    at >= text.length || /[\r\n]/.test(text[at] ?? "") || text[at] === separator;
  const readQuoted = () => {
    let value = "";
    for (at += 1; at < text.length; at += 1) {
      if (text[at] !== '"') value += text[at];
      else if (text[at + 1] === '"') {
        value += '"';
        at += 1;
      } else break;
    }
    at += 1;
    return value;
  };
  while (at < text.length) {
    let field = text[at] === '"' ? readQuoted() : "";
    for (; !endsField(); at += 1) field += text[at];
    row.push(field);
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
      row.push("");
    }
    rows.push(row);
    row = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  return rows;
};

/** The text of a cell before the apostrophes were added, as an importer of our files has to read it. */
export const originalText = (cell: string) =>
  cell
    .replace(/^'(?='*(?:(?:(?![\t\r\n])[\p{Cc}\p{Z}\p{Cf}"])*[=+\-@＝＋－＠]|\p{Cc}))/u, "")
    .replace(/(?<=[,;|\t\r\n])'(?='*(?:(?![\t\r\n])[\p{Cc}\p{Z}\p{Cf}"])*[=+\-@＝＋－＠])/gu, "");
