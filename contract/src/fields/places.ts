import { z } from "zod";
import { rule } from "../messages/rules.ts";
import { text } from "./text.ts";

/** ISO 3166-1 alpha-2, as published. The browser knows the names. */
const codes =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY " +
  "BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK " +
  "FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR " +
  "IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK " +
  "ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM " +
  "PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF " +
  "TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

export const countries: readonly string[] = codes.split(" ");

export const country = z.enum(countries, rule("country_invalid", "Choose a country."));

/** Languages of the sold apps, as BCP 47 tags. */
export const locales: readonly string[] = [
  "cs",
  "da",
  "de",
  "el",
  "en",
  "en-GB",
  "es",
  "fi",
  "fr",
  "it",
  "ja",
  "ko",
  "nb",
  "nl",
  "pl",
  "pt",
  "pt-BR",
  "sv",
  "tr",
  "uk",
  "zh",
];
export const locale = z.enum(locales);

const isLanguageTag = (tag: string) => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

/** Any language, as browsers and devices name it. */
export const languageTag = text({ min: 1, max: 35 }).refine(
  isLanguageTag,
  rule("language_tag_invalid", "Enter a language tag, such as en-GB."),
);

/** The languages of Norway that have no texts of their own. */
const related: Record<string, string> = { no: "nb", nn: "nb" };

/** The supported language closest to a tag, such as de for de-AT. Null if there is none. */
export const closestLocale = (tag: string): string | null => {
  const [canonical = ""] = Intl.getCanonicalLocales(tag);
  const parts = canonical.split("-");
  const shorter = parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
  const language = related[parts[0] ?? ""];
  return [...shorter, language].find((one) => one !== undefined && locales.includes(one)) ?? null;
};
