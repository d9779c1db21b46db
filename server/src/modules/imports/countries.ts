import { countries } from "@purser/contract/fields/places";

/** The languages whose country names are understood. */
const languages = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "nl",
  "pl",
  "pt",
  "sv",
  "da",
  "nb",
  "fi",
  "et",
  "cs",
];

/** Former and common names, which `Intl` doesn't have. */
const others: Readonly<Record<string, string>> = {
  uk: "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "northern ireland": "GB",
  "great britain": "GB",
  großbritannien: "GB",
  usa: "US",
  "united states of america": "US",
  "vereinigte staaten von amerika": "US",
  holland: "NL",
  "czech republic": "CZ",
  "slovak republic": "SK",
  "republic of ireland": "IE",
  turkey: "TR",
  "russian federation": "RU",
  "republic of korea": "KR",
  uae: "AE",
  "hong kong": "HK",
  macau: "MO",
  macao: "MO",
  "ivory coast": "CI",
  macedonia: "MK",
  swaziland: "SZ",
  burma: "MM",
};

/** Names are compared without accents and punctuation, so "The Bahamas" is "Bahamas" and "and" is "&". */
const simple = (typed: string) =>
  typed
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[\p{M}.,'’]/gu, "")
    .replaceAll(/\band\b/g, "&")
    .replace(/^\s*the\s+/, "")
    .trim();

const namesIn = (language: string) => {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  return countries.flatMap((code): [string, string][] => {
    const name = names.of(code);
    return name ? [[simple(name), code]] : [];
  });
};

const known = new Map([...languages.toReversed().flatMap(namesIn), ...Object.entries(others)]);
const englishNames = new Intl.DisplayNames(["en"], { type: "region" });

/** The code of a country, given as its code or its name in one of the languages. */
export const countryOf = (typed: string): string | null => {
  const code = typed.trim().toUpperCase();
  return countries.includes(code) ? code : (known.get(simple(typed)) ?? null);
};

export const countryName = (code: string) => englishNames.of(code) ?? code;

/** The number of letters to add, remove or replace, up to a limit. */
const distance = (one: string, other: string, limit: number) => {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let before = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          (before[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (before[column - 1] ?? 0) + same,
        ),
      );
    }
    before = current;
  }
  return before[other.length] ?? limit + 1;
};

const typos = 2;
const shortest = 5;

/** The country whose name differs by at most two letters, if there is only one. */
export const nearCountry = (typed: string): string | null => {
  const name = simple(typed);
  if (name.length < shortest || name.length > 60) return null;
  const near = new Set(
    [...known].filter(([other]) => distance(name, other, typos) <= typos).map(([, code]) => code),
  );
  const [only, ...more] = near;
  return only && more.length === 0 ? only : null;
};
