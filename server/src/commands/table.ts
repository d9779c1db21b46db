/** Lines of text in columns. The last column has no fixed width. */
export const columnsOf = (rows: readonly (readonly string[])[]) => {
  const widths = rows.reduce<number[]>((known, row) => {
    for (const [place, text] of row.entries())
      known[place] = Math.max(known[place] ?? 0, text.length);
    return known;
  }, []);
  return rows
    .map((row) => row.map((text, place) => text.padEnd(widths[place] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
};

/** A time in UTC, to the second. */
export const timeOf = (at: Date) => `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`;
