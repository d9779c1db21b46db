// Writes the Markdown of docs/ as HTML. It knows what these pages use, and everything else is shown as text.

export const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** The anchor of a heading, as GitHub and the site write it. */
export const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** The address of a link, or null if it leads to nothing that is served. */
export type LinkTo = (target: string) => string | null;

const parts =
  /(`+)(.+?)\1(?!`)|!\[([^\]]*)\]\([^)\s]+\)|\[((?:[^\][]|\[[^\]]*\])+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*/g;

/** A line of text with its code, links and emphasis. */
const inline = (text: string, linkTo: LinkTo): string => {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(parts)) {
    const [all, , code, picture, label, target = "", strong, weak] = match;
    html += escaped(text.slice(end, match.index));
    end = match.index + all.length;
    if (code !== undefined) html += `<code>${escaped(code.trim())}</code>`;
    else if (picture !== undefined) html += `<em>${escaped(picture)}</em>`;
    else if (label !== undefined) html += linked(inline(label, linkTo), linkTo(target));
    else if (strong !== undefined) html += `<strong>${inline(strong, linkTo)}</strong>`;
    else html += `<em>${inline(weak ?? "", linkTo)}</em>`;
  }
  return html + escaped(text.slice(end));
};

const linked = (label: string, address: string | null) =>
  address === null ? label : `<a href="${escaped(address)}">${label}</a>`;

/** The cells of a row. A bar in code is escaped, as GitHub requires. */
const cellsOf = (row: string) =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

const tableOf = ([head = "", , ...rows]: string[], linkTo: LinkTo) => {
  const line = (tag: "th" | "td", row: string) =>
    `<tr>${cellsOf(row)
      .map((cell) => `<${tag}>${inline(cell, linkTo)}</${tag}>`)
      .join("")}</tr>`;
  const body = rows.map((row) => line("td", row)).join("");
  return `<div class="table"><table><thead>${line("th", head)}</thead><tbody>${body}</tbody></table></div>`;
};

const item = /^(\s*)(?:[-*]|(\d+)\.) (.*)$/;

/** Items with those below them. Other lines continue the item before. */
const listOf = (lines: string[], linkTo: LinkTo): string => {
  const [, indent = "", number] = item.exec(lines[0] ?? "") ?? [];
  const items: string[][] = [];
  for (const line of lines) {
    const [, own, , text = ""] = item.exec(line) ?? [];
    if (own?.length === indent.length) items.push([text]);
    else items.at(-1)?.push(line);
  }
  const shown = items.map(([text = "", ...more]) => {
    const below = more.findIndex((line) => item.test(line));
    const same = below < 0 ? more : more.slice(0, below);
    const own = [text, ...same.map((line) => line.trim())].join(" ");
    return `<li>${inline(own, linkTo)}${below < 0 ? "" : listOf(more.slice(below), linkTo)}</li>`;
  });
  const tag = number === undefined ? "ul" : "ol";
  const start = number === undefined || number === "1" ? "" : ` start="${number}"`;
  return `<${tag}${start}>${shown.join("")}</${tag}>`;
};

/** The blocks of a page: fenced code, or lines without an empty one between them. */
const blocksOf = (text: string) =>
  text
    .replace(/<!--[\s\S]*?-->/g, "")
    .match(
      /^ *```[^\n]*\n[\s\S]*?^ *```$|^#{1,6} .*$|(?:^(?! *```|#{1,6} )[^\n]*\S[^\n]*(?:\n|$))+/gm,
    ) ?? [];

/** What a paragraph is followed by without an empty line: its lists and tables. */
const runsOf = (block: string) => {
  const runs: { kind: "text" | "list" | "table"; lines: string[] }[] = [];
  for (const line of block.trimEnd().split("\n")) {
    const last = runs.at(-1);
    const continues = last?.kind === "list" && /^\s/.test(line);
    const kind = line.startsWith("|") ? "table" : item.test(line) || continues ? "list" : "text";
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ kind, lines: [line] });
  }
  return runs;
};

const headingOf = (block: string, anchors: Map<string, number>, linkTo: LinkTo) => {
  const [, marks = "", text = ""] = /^(#+) (.*)$/.exec(block) ?? [];
  const anchor = anchorOf(text);
  const earlier = anchors.get(anchor) ?? 0;
  anchors.set(anchor, earlier + 1);
  const id = earlier === 0 ? anchor : `${anchor}-${earlier}`;
  return `<h${marks.length} id="${escaped(id)}">${inline(text, linkTo)}</h${marks.length}>`;
};

/** Code of an item of a list is indented. The list continues after it with its next number. */
const codeOf = (block: string) => {
  const indent = block.length - block.trimStart().length;
  const lines = block.split("\n").slice(1, -1);
  return `<pre><code>${escaped(lines.map((line) => line.slice(indent)).join("\n"))}</code></pre>`;
};

export const htmlOf = (markdown: string, linkTo: LinkTo) => {
  const anchors = new Map<string, number>();
  return blocksOf(markdown)
    .map((block) => {
      if (/^ *```/.test(block)) return codeOf(block);
      if (/^#{1,6} /.test(block)) return headingOf(block, anchors, linkTo);
      return runsOf(block)
        .map(({ kind, lines }) => {
          if (kind === "table") return tableOf(lines, linkTo);
          if (kind === "list") return listOf(lines, linkTo);
          return `<p>${inline(lines.join(" "), linkTo)}</p>`;
        })
        .join("");
    })
    .join("\n");
};
