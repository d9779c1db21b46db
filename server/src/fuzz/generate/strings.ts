import fc from "fast-check";

const point = String.fromCodePoint;

/** Strings that have broken servers, by what they try. */
const classes: readonly (readonly string[])[] = [
  // NUL, which PostgreSQL's text cannot hold.
  [point(0), `a${point(0)}b`],
  // Lone surrogates.
  ["\ud800", "\udc00", "a\ud83d", "\udc00\ud800"],
  // White space.
  ["", " ", "  \t\n ", point(0xa0), point(0x3000)],
  // Direction marks.
  [point(0x202e, 0x61, 0x62), point(0x2066, 0x61, 0x2069), point(0x61c)],
  // Invisible characters.
  [point(0x200b), point(0x61, 0x200d, 0x62), point(0xfeff, 0x61), point(0x2060)],
  // Four bytes each.
  [point(0x1f600), point(0x1f469, 0x200d, 0x1f4bb), point(0x10ffff), point(0xffff)],
  // Not in NFC, or longer after NFC, NFKC or lowercasing.
  [point(0x65, 0x301), point(0x1100, 0x1161, 0x11a8)],
  [point(0x958), point(0x1d160), point(0xfdfa), point(0x130), point(0x1e9e)],
  // Control characters and line breaks.
  ["\t", "\n", "\u001b[31mred", "a\r\nset-cookie: b=c", point(0x85), point(0x7f), point(0x2028)],
  // Other languages.
  ["'", "' or 1=1 --", "'; drop table apps; --", "$1", '"', "\\u0000"],
  ["%", "%zz", "_", "\\", "%_\\%"],
  ["<script>alert(1)</script>", "{{7*7}}", "../../etc/passwd", "%00", "%2e%2e%2f", "=1+1"],
  ["NaN", "Infinity", "-0", "1e400", "9223372036854775808", "null", "true", "{}", "[]"],
  ["__proto__", "constructor", "toString", "hasOwnProperty"],
  [`${"a".repeat(5000)}!`, "(".repeat(2000), " ".repeat(5000)],
];

// The first three have caused the most bugs.
const naughty = fc.oneof(
  ...classes.map((texts, index) => ({
    weight: index < 3 ? 3 : 1,
    arbitrary: fc.constantFrom(...texts),
  })),
);

const words = ["harbor", "ledger", "crew", "Tide", "été", "наука", "海", "7", "O'Neil", "a-b"];

// U+FFFD is never sent. If it appears in a response, the server has lost a character.
const isIntact = (text: string) => !text.includes("\ufffd");

export const naughtyText = fc.oneof(
  { weight: 5, arbitrary: naughty },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...words), naughty, fc.constantFrom("", ...words))
      .map(([before, inside, after]) => `${before}${inside}${after}`),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).filter(isIntact) },
);

type Bounds = { minLength?: number; maxLength?: number };

/** Ordinary text. */
export const readableText = ({ minLength = 0, maxLength = 2000 }: Bounds) =>
  fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
    .map((chosen) => chosen.join(" ").padEnd(minLength, " quay-7").slice(0, maxLength).trim());

const units = ["a", "é", "海", point(0x65, 0x301)];
const growing = [0x1f600, 0x958, 0x1d160, 0xfdfa, 0x130].map((code) => point(code));

export const lengthsAround = (min: number, max: number) =>
  [0, min - 1, min, max - 1, max, max + 1].filter((length) => length >= 0);

/** Problematic characters, and every length at which a limit could be off by one. */
export const wildText = ({ minLength = 0, maxLength = 2000 }: Bounds) =>
  fc.oneof(
    { weight: 3, arbitrary: naughtyText },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...units, ...growing),
          fc.constantFrom(...lengthsAround(minLength, maxLength), maxLength, maxLength + 1),
        )
        .map(([unit, length]) => unit.repeat(length)),
    },
  );

const spoil = (text: string, how: number) =>
  [`${text}\n`, `${text}${point(0)}`, text.toUpperCase(), ` ${text}`, text.repeat(40), ""][
    how % 6
  ] ?? text;

// Cached, because parsing a pattern is slow and all fields share a few patterns.
const byPattern = new Map<string, fc.Arbitrary<string>>();

export const matchingText = (pattern: string, { maxLength }: Bounds) => {
  const key = `${maxLength} ${pattern}`;
  const made =
    byPattern.get(key) ??
    fc.stringMatching(new RegExp(pattern), maxLength === undefined ? {} : { maxLength });
  byPattern.set(key, made);
  return made;
};

/** Text that a careless check of the pattern would accept. */
export const nearlyMatchingText = (pattern: string, bounds: Bounds) =>
  fc.oneof(
    fc
      .tuple(matchingText(pattern, bounds), fc.nat({ max: 5 }))
      .map(([text, how]) => spoil(text, how)),
    wildText(bounds),
  );

const oddIds = fc.constantFrom(
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF",
  "{018f4a2e-7d3b-7c1a-9e55-0123456789ab}",
  "018f4a2e7d3b7c1a9e550123456789ab",
  "1",
);

const moment = fc
  .date({ min: new Date("2050-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Limits of the calendar, invalid days and extreme offsets. */
const wildDay = fc.oneof(
  fc.constant("0000-01-01"),
  fc.constantFrom("0001-01-01", "9999-12-31", "2024-02-29"),
  fc.constantFrom("2023-02-29", "2026-13-01", "1582-10-10", "+275760-09-13"),
);

const wildMoment = fc.oneof(
  fc.constantFrom(
    "0000-01-01T00:00:00Z",
    "0000-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59-23:59",
  ),
  fc
    .tuple(
      wildDay,
      fc.constantFrom(
        "T23:59:59.999999999Z",
        "T00:00Z",
        "T24:00:00Z",
        "T23:59:60Z",
        "T12:00:00+14:00",
        "T12:00:00",
        "",
      ),
    )
    .map(([day, time]) => `${day}${time}`),
);

const address = fc
  .tuple(fc.stringMatching(/^[a-z][a-z0-9+'_-]{2,20}[a-z0-9]$/), fc.constantFrom("", "mail."))
  .map(([name, host]) => `${name}@${host}example.com`);

const oddAddresses = fc.constantFrom(
  `${"a".repeat(242)}@example.com`,
  `${"a".repeat(243)}@example.com`,
  "UPPER@EXAMPLE.COM",
  `${point(0x212a)}im@example.com`,
  `a@ex${point(0x430)}mple.com`,
  "a@b",
  "a@@example.com",
  '"a b"@example.com',
  "a@example.com\nb@example.com",
  `a${point(0)}@example.com`,
);

/** Valid and borderline values for each format of a schema. */
export const formats: Record<string, { tame: fc.Arbitrary<string>; wild: fc.Arbitrary<string> }> = {
  uuid: { tame: fc.uuid(), wild: oddIds },
  email: { tame: address, wild: oddAddresses },
  date: { tame: moment.map((text) => text.slice(0, 10)), wild: wildDay },
  "date-time": { tame: moment, wild: wildMoment },
};
