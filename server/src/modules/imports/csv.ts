/** The longest record, so that a file with an open quote doesn't grow in memory. */
const recordMax = 100_000;

const delimiters = [",", ";", "\t", "|"] as const;

/** The character that separates the most cells of the first line. */
export const delimiterOf = (text: string) => {
  const line = /^[^\r\n]*/.exec(text)?.[0].replace(/"[^"]*"/g, "") ?? "";
  const counted = delimiters.map((one) => ({ one, count: line.split(one).length }));
  return counted.toSorted((a, b) => b.count - a.count)[0]?.one ?? ",";
};

type Read = {
  records: string[][];
  /** The beginning of a record that ends in the next part. */
  rest: string;
  /** The record is longer than any row can be, usually because of a quote that is never closed. */
  isTooLong: boolean;
};

/** Where a cell without quotation marks ends. */
const endOfCell = (text: string, from: number, delimiter: string) => {
  let to = from;
  while (to < text.length && text[to] !== delimiter && text[to] !== "\n" && text[to] !== "\r")
    to += 1;
  return to;
};

/** The text between quotation marks, and where it ends. Null if the text ends before it. */
const quotedAt = (text: string, from: number) => {
  let value = "";
  let start = from + 1;
  for (;;) {
    const quote = text.indexOf('"', start);
    if (quote < 0 || quote + 1 >= text.length) return null;
    value += text.slice(start, quote);
    if (text[quote + 1] !== '"') return { value, to: quote + 1 };
    value += '"';
    start = quote + 2;
  }
};

/** A cell that starts here, and where it ends. Null if the text ends before it. */
const cellAt = (text: string, from: number, delimiter: string) => {
  const quoted = text[from] === '"' ? quotedAt(text, from) : { value: "", to: from };
  if (!quoted) return null;
  // Text after a closing quote belongs to the cell, as spreadsheets read it.
  const to = endOfCell(text, quoted.to, delimiter);
  return to < text.length ? { value: quoted.value + text.slice(quoted.to, to), to } : null;
};

/** A record that starts here, and where the next one starts. Null if the text ends before it. */
const recordAt = (text: string, from: number, delimiter: string) => {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    const cell = cellAt(text, at, delimiter);
    if (!cell) return null;
    cells.push(cell.value);
    at = cell.to + 1;
    if (text[cell.to] === delimiter) continue;
    if (text[cell.to] === "\n") return { cells, next: at };
    // A line break of two characters may be split between two parts.
    return at < text.length ? { cells, next: text[at] === "\n" ? at + 1 : at } : null;
  }
};

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
const storable = (cell: string) => cell.replaceAll("\0", "\ufffd").toWellFormed().trim();

const isEmpty = (cells: readonly string[]) => cells.every((cell) => cell.trim() === "");

/** Reads the complete records of a text, as RFC 4180 describes them, with any line break. Empty lines are skipped. */
export const readCsv = (
  text: string,
  { delimiter, isLast }: { delimiter: string; isLast: boolean },
): Read => {
  const whole = isLast && text !== "" ? `${text}\n` : text;
  const records: string[][] = [];
  let at = 0;
  while (at < whole.length) {
    const record = recordAt(whole, at, delimiter);
    if (!record) break;
    if (!isEmpty(record.cells)) records.push(record.cells.map(storable));
    at = record.next;
  }
  const rest = whole.slice(at);
  return { records, rest: isLast ? "" : rest, isTooLong: rest.length > (isLast ? 0 : recordMax) };
};
