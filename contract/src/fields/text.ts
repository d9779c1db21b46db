import { z } from "zod";
import { validationMessage } from "./validationMessages.ts";

// Here, because every schema that a person fills in is made of this file's.
z.config({ customError: validationMessage });

// Controls, and the characters that reorder or hide their neighbours. Built from ranges, so that no
// such character stands in this file.
const forbidden = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0x061c, 0x061c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
] as const;
const escaped = (point: number) => `\\u{${point.toString(16)}}`;
const invisible = new RegExp(
  `[${forbidden.map(([from, to]) => `${escaped(from)}-${escaped(to)}`).join("")}]`,
  "u",
);
const lineBreak = /[\t\n\r]/u;

type Limits = { min?: number; max: number; lines?: boolean };

const refusal = (value: string, { min = 0, max, lines = false }: Limits) => {
  if (!value.isWellFormed()) return "contains half of a character; type it again";
  if (invisible.test(value)) return "contains an invisible control character; remove it";
  if (!lines && lineBreak.test(value)) return "must be a single line";
  const length = [...value].length;
  if (length > max) return `must have at most ${max} characters`;
  if ([...value.trim()].length >= min) return null;
  return min === 1 ? "must not be empty" : `must have at least ${min} characters`;
};

/**
 * Text that a person typed: well formed, normalised to NFC, trimmed, without control or direction
 * characters, its length counted in code points. Only this file calls `z.string()`; a test holds that.
 */
export const text = (limits: Limits) =>
  z
    .string()
    .superRefine((value, context) => {
      const message = refusal(value.normalize("NFC"), limits);
      if (message) context.addIssue({ code: "custom", message });
    })
    .overwrite((value) => value.normalize("NFC").trim())
    .meta({ ...(limits.min && { minLength: limits.min }), maxLength: limits.max });

/** A secret that a person types: kept as it is, only normalised, so that any keyboard gives the same. */
export const secretText = (limits: Limits) =>
  z
    .string()
    .superRefine((value, context) => {
      const message = refusal(value.normalize("NFKC"), limits);
      if (message) context.addIssue({ code: "custom", message });
    })
    .overwrite((value) => value.normalize("NFKC"))
    .meta({ ...(limits.min && { minLength: limits.min }), maxLength: limits.max });

const halves = /\p{Surrogate}/gu;
const allInvisible = new RegExp(invisible, "gu");

/**
 * Text that somebody is still writing, for keeping only. Nothing is asked of it yet, so what may not
 * come in is left out instead of refused; blanks at its end stay, because the next word follows them.
 */
export const unfinished = z
  .string()
  .overwrite((value) => value.replace(halves, "").normalize("NFC").replace(allInvisible, ""));

/** Machine text of a known alphabet: tokens, cursors, codes. */
export const token = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

/** The name that the sold apps' own code uses: it is frozen once used. */
export const code = token(
  /^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$/,
  "must have 2 to 64 of a-z, 0-9, - and _, and start and end with a letter or digit",
);

export const email = z
  .email("must be an address such as name@example.com")
  .max(254, "must have at most 254 characters")
  .overwrite((value) => value.toLowerCase());

/** A zone of the time zone database. Which ones there are is the server's and the browser's to know. */
export const timeZone = token(
  /^[A-Za-z0-9_+-]{1,30}(\/[A-Za-z0-9_+-]{1,30}){0,2}$/,
  "must be a time zone such as Europe/Lisbon",
).refine((zone) => {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}, "must be a time zone such as Europe/Lisbon");

/** An icon's name in the bundled collection. */
export const icon = token(
  /^[a-z0-9]+(-[a-z0-9]+){0,11}$/,
  "must be an icon's name such as chart-bar",
).max(64);

/** A whole file. What stands in it is read first, and then checked value by value. */
export const fileText = (max: number) =>
  z.string().max(max, `must have at most ${max.toLocaleString("en-US")} characters`);

/** Why somebody did something; kept with the change for ever. */
export const reason = text({ max: 500 });

/** Text that we wrote ourselves, for replies only: a request never takes it. */
export const plain = z.string();
