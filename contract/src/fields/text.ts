import { z } from "zod";
import { rule } from "../messages/rules.ts";
import { required, textTooLong, textTooShort } from "./commonRules.ts";
import { validationMessage } from "./validationMessages.ts";

// Set here because every schema for user input uses this file.
z.config({ customError: validationMessage });

// Control characters, and those that reorder or hide their neighbors. Built from ranges, so that this
// file contains none.
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
  if (!value.isWellFormed())
    return rule("text_malformed", "This text contains an invalid character. Type it again.");
  if (invisible.test(value))
    return rule("text_invisible", "This text contains an invisible control character. Remove it.");
  if (!lines && lineBreak.test(value)) return rule("text_multiline", "Line breaks aren't allowed.");
  const length = [...value].length;
  if (length > max) return textTooLong(max);
  if ([...value.trim()].length >= min) return null;
  return min === 1 ? required : textTooShort(min);
};

/**
 * Text that a user typed: well formed, normalized to NFC, trimmed, without control or direction characters,
 * with its length in code points. Only this file calls `z.string()`, which a test checks.
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

/** A secret that a user types. It is only normalized, so that every keyboard gives the same bytes. */
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
 * Text of an unsaved form. It isn't validated yet, so forbidden characters are removed instead of refused,
 * and trailing spaces are kept because the user may continue typing.
 */
export const unfinished = z
  .string()
  .overwrite((value) => value.replace(halves, "").normalize("NFC").replace(allInvisible, ""));

/** Machine text with a fixed alphabet: tokens, cursors, codes. */
export const token = (pattern: RegExp, message: string) => z.string().regex(pattern, message);

/** The identifier that sold apps use; frozen once in use. */
export const code = token(
  /^[a-z0-9][a-z0-9_-]{0,62}[a-z0-9]$/,
  rule(
    "code_invalid",
    "Use 2 to 64 lowercase letters, digits, - and _. Start and end with a letter or digit.",
  ),
);

export const email = z
  .email(rule("email_invalid", "Enter an email address, such as name@example.com."))
  .max(254, textTooLong(254))
  .overwrite((value) => value.toLowerCase());

/** A zone of the time zone database; the runtime knows which exist. */
const timeZoneInvalid = rule("time_zone_invalid", "Choose a time zone, such as Europe/Lisbon.");
export const timeZone = token(
  /^[A-Za-z0-9_+-]{1,30}(\/[A-Za-z0-9_+-]{1,30}){0,2}$/,
  timeZoneInvalid,
).refine((zone) => {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}, timeZoneInvalid);

/** An icon's name in the bundled collection. */
export const icon = token(
  /^[a-z0-9]+(-[a-z0-9]+){0,11}$/,
  rule("icon_invalid", "Choose an icon, such as chart-bar."),
).max(64);

/** A whole file; it is parsed first and then validated. */
export const fileText = (max: number) => z.string().max(max, textTooLong(max));

/** The user's reason, stored with the audit entry. */
export const reason = text({ max: 500 });

/** Text of the server, for replies only, so it is not validated. */
export const plain = z.string();
