import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const own = fileURLToPath(new URL("../../", import.meta.url));

/** The part of a page below a heading, up to the next one of the same or a higher level. */
const sectionOf = (page: string, heading: string, checkout: string) => {
  const lines = readFileSync(join(checkout, "docs", page), "utf8").split("\n");
  const start = lines.findIndex(
    (line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading,
  );
  if (start === -1) throw new Error(`docs/${page} has no heading "${heading}".`);
  const level = (lines[start] ?? "").indexOf(" ");
  const length = lines
    .slice(start + 1)
    .findIndex((line) => /^#+ /.test(line) && line.indexOf(" ") <= level);
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
};

/** The commands of a section, by block. Lines that end with a backslash continue. Another checkout has its own pages. */
export const commandsOf = (page: string, heading: string, checkout = own) => {
  const blocks: string[][] = [];
  let open: { indent: number; lines: string[] } | null = null;
  for (const line of sectionOf(page, heading, checkout)) {
    const fence = /^(\s*)```(\w*)$/.exec(line);
    if (open) {
      if (fence) {
        blocks.push(
          open.lines
            .join("\n")
            .replaceAll(/\\\n\s*/g, "")
            .split("\n"),
        );
        open = null;
      } else open.lines.push(line.slice(open.indent));
    } else if (fence?.[2] === "sh") open = { indent: (fence[1] ?? "").length, lines: [] };
  }
  if (blocks.length === 0) throw new Error(`docs/${page} has no commands below "${heading}".`);
  return blocks;
};
