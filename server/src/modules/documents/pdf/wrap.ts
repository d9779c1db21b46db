import { graphemesOf } from "./typeface.ts";

type Measure = (text: string) => number;

/** After spaces, and after dashes inside words. Document numbers and no-break spaces keep together. */
const breaks = /(?<= )|(?<=[-–/])(?=\p{L})/u;

/** A word without a place to break, in parts that fit. */
const split = (word: string, width: number, measure: Measure) => {
  const parts: string[] = [];
  let part = "";
  for (const grapheme of graphemesOf(word)) {
    if (part !== "" && measure(part + grapheme) > width) {
      parts.push(part);
      part = "";
    }
    part += grapheme;
  }
  return [...parts, part];
};

/** The lines of a paragraph in a width. */
export const wrapText = (text: string, width: number, measure: Measure) => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(breaks)) {
    if (measure((line + word).trimEnd()) <= width) {
      line += word;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = split(word, width, measure);
    line = parts.pop() ?? "";
    lines.push(...parts);
  }
  return [...lines, line].map((one) => one.trimEnd());
};
