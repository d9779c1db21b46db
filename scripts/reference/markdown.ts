/** A line break or a pipe would end the cell. Newer words in angle brackets would be read as HTML. */
const cellOf = (text: string) =>
  text
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .replace(/<(?=\w)/g, "\\<");

export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows]
    .map((cells, place) => `| ${cells.map(place === 1 ? (text) => text : cellOf).join(" | ")} |`)
    .join("\n");

export const code = (text: string) => (text === "" ? "" : `\`${text}\``);

const startOf = (block: string) => `<!-- ${block}: written by \`npm run reference\` -->`;
const endOf = (block: string) => `<!-- end of ${block} -->`;

const placeOf = (page: string, block: string) => {
  const [start, end] = [startOf(block), endOf(block)];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page needs ${start} and ${end}.`);
  return { from: from + start.length, to };
};

/** The generated part of a page. */
export const blockOf = (page: string, block: string) => {
  const { from, to } = placeOf(page, block);
  return page.slice(from, to).trim();
};

export const withBlock = (page: string, block: string, content: string) => {
  const { from, to } = placeOf(page, block);
  return `${page.slice(0, from)}\n${content}\n${page.slice(to)}`;
};

/** The last cell of each row by its first cell, which is code. Writers maintain the last column. */
export const textsIn = (table: string) =>
  new Map(
    table.split("\n").flatMap((line) => {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const [, name = ""] = /^`(.+)`$/.exec(cells[1] ?? "") ?? [];
      return name === "" ? [] : [[name, cells.at(-2) ?? ""] as const];
    }),
  );
