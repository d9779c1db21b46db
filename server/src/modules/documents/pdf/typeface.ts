import { readFileSync } from "node:fs";
import { create, type Font } from "fontkit";

const parse = (name: string): Font => {
  const font = create(readFileSync(new URL(`fonts/${name}.ttf`, import.meta.url)));
  if (!("layout" in font)) throw new Error(`${name} is a collection of fonts.`);
  return font;
};

/** IBM Plex Sans, whose figures all have the same width. Parsing takes longer than printing, so it is done once. */
const regular = parse("IBMPlexSans-Regular");
const bold = parse("IBMPlexSans-SemiBold");

/**
 * The typeface for one document. The parsed files are shared, but not the glyphs: each remembers the characters that
 * it was first used for, and a document has to have the same bytes whatever was printed before.
 */
export const openTypeface = () => {
  const withOwnGlyphs = (font: Font): Font => Object.create(font, { _glyphs: { value: {} } });
  return { regular: withOwnGlyphs(regular), bold: withOwnGlyphs(bold) };
};

/** Both weights have the same. */
const characters = new Set(regular.characterSet);

/** Printed instead of a character that the typeface doesn't have. */
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
