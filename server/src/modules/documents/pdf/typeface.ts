import { readFileSync } from "node:fs";
import { create } from "fontkit";

const read = (name: string) => readFileSync(new URL(`fonts/${name}.ttf`, import.meta.url));

/** IBM Plex Sans, whose figures all have the same width. Only the characters that a document uses are embedded. */
export const typefaces = {
  regular: read("IBMPlexSans-Regular"),
  bold: read("IBMPlexSans-SemiBold"),
};

const font = create(typefaces.regular);
if (!("characterSet" in font)) throw new Error("A collection of fonts can't be embedded.");
/** Both weights have the same. */
const characters = new Set(font.characterSet);

/** Stands for a character that the typeface doesn't have. */
const replacement = "\uFFFD";

const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The characters as readers count them: an emoji of several code points is one. */
export const graphemesOf = (text: string) =>
  [...graphemes.segment(text)].map(({ segment }) => segment);

const isKnown = (grapheme: string) =>
  [...grapheme].every((character) => characters.has(character.codePointAt(0) ?? 0));

const shown = (grapheme: string) => {
  // Variation selectors and soft hyphens have no shape of their own.
  const visible = grapheme.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  if (isKnown(visible)) return visible;
  return /^\s$/u.test(visible) ? " " : replacement;
};

/** The text with a visible mark in place of what the typeface lacks, such as Chinese, Arabic and emoji. */
export const printable = (text: string) =>
  isPlain(text) ? text : graphemesOf(text.normalize("NFC")).map(shown).join("");
