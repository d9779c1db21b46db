import { dirname, join, normalize } from "node:path";
import { anchorOf } from "./platform/http/help/markdown.ts";

/** Code isn't read for links, headings or words. */
const withoutCode = (text: string) =>
  text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");

/** All anchors of a page. A repeated heading gets a number. */
export const anchorsOf = (text: string) => {
  const headings = text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm);
  const anchors = [...headings].map(([, heading = ""]) => anchorOf(heading));
  return anchors.map((anchor, place) => {
    const earlier = anchors.slice(0, place).filter((one) => one === anchor).length;
    return earlier === 0 ? anchor : `${anchor}-${earlier}`;
  });
};

type Page = { file: string; text: string };

const linksOf = ({ text }: Page) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Links to files and headings that don't exist. Files of the repository are given with their paths. */
export const deadLinks = (pages: readonly Page[], files: readonly string[]) => {
  const anchors = new Map(pages.map(({ file, text }) => [file, anchorsOf(text)]));
  const isDead = (page: Page, target: string) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page.file : normalize(join(dirname(page.file), path));
    const isFolder = files.some((one) => one.startsWith(`${file.replace(/\/$/, "")}/`));
    if (!files.includes(file)) return !isFolder;
    return anchor !== undefined && !anchors.get(file)?.includes(anchor);
  };
  return pages.flatMap((page) =>
    linksOf(page)
      .filter((target) => isDead(page, target))
      .map((target) => `${page.file}: ${target}`),
  );
};

const quotedLines = /"((?:[^"\\]|\\.)*)"/g;

/** The texts of a message catalog. */
export const messagesIn = (catalog: string) =>
  // The texts, because the ID of a message can be a name of its own.
  [...catalog.matchAll(/^msgstr ((?:".*"\n)+)/gm)].map(([, lines = ""]) =>
    [...lines.matchAll(quotedLines)].map(([line]) => JSON.parse(line) as string).join(""),
  );

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A message with anything in place of its parameters. */
const patternOf = (message: string) =>
  new RegExp(
    `^${message
      .split(/\{\w+\}/)
      .map(escaped)
      .join(".+")}$`,
  );

/** Words in bold that are no text of the dashboard. A label of the page itself ends with a colon. */
export const unknownLabels = ({ file, text }: Page, messages: readonly string[]) => {
  const exact = new Set(messages);
  const patterns = messages.filter((one) => /^[^{]*\w[^{]*\{\w+\}/.test(one)).map(patternOf);
  return [...withoutCode(text).matchAll(/\*\*([^*\n]+)\*\*/g)]
    .map(([, label = ""]) => label)
    .filter((label) => !label.endsWith(":") && !exact.has(label))
    .filter((label) => !patterns.some((pattern) => pattern.test(label)))
    .map((label) => `${file}: ${label}`);
};

/** Scripts of package.json that a page names. */
export const scriptsIn = ({ text }: Page) =>
  [...text.matchAll(/\bnpm (?:run ([a-z0-9]+)|(start|test))\b/g)].map(
    ([, run, short]) => run ?? short ?? "",
  );

export type Sample = { heading: string; language: string; code: string };

/** The fenced blocks of a page with the heading above each. */
export const samplesIn = (text: string): Sample[] => {
  const samples: Sample[] = [];
  let heading = "";
  for (const [, title, language, code] of text.matchAll(/^#+ (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else samples.push({ heading, language: language ?? "", code: code ?? "" });
  }
  return samples;
};
