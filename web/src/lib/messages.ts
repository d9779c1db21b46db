import { formatRulesIn } from "@purser/contract/messages/rules";

/** The languages to choose from, by their own names. */
export const languageNames = {
  "en-US": "English (US)",
  "en-GB": "English (UK)",
  de: "Deutsch",
} as const;
export type Language = keyof typeof languageNames;

/** For translators and tests: accented English, also from right to left, and English with marks. */
const pseudoLanguages = ["pseudo", "pseudo-rtl", "marked"];

const key = "purser-language";
const isLanguage = (tag: string): tag is Language => Object.hasOwn(languageNames, tag);

export const readStorage = (name: string) => {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage is blocked, or there is none.
    return null;
  }
};

const bestOf = (wanted: readonly string[]): Language => {
  for (const tag of wanted) {
    if (isLanguage(tag)) return tag;
    const [language, region] = tag.split("-");
    if (language === "de") return "de";
    // Everyone outside of North America reads dates and spelling the British way.
    if (language === "en") return !region || ["US", "CA"].includes(region) ? "en-US" : "en-GB";
  }
  return "en-US";
};

const browserLanguages = typeof navigator === "undefined" ? [] : (navigator.languages ?? []);
const languageOf = (chosen: string) => (isLanguage(chosen) ? chosen : bestOf(browserLanguages));
const stored = readStorage(key) ?? "";
const isPseudo = pseudoLanguages.includes(stored);

/** The user's language, until they choose another one: that reloads the page. */
export const language = isPseudo ? "en-US" : languageOf(stored);

/** The name of the catalog. */
export const locale = isPseudo ? stored : language === "en-US" ? "en" : language;

formatRulesIn(language);
if (typeof document !== "undefined") {
  document.documentElement.lang = language;
  document.documentElement.dir = locale === "pseudo-rtl" ? "rtl" : "ltr";
}

/**
 * Uses a language from the next page load on. Null is the browser's. Returns whether that differs from
 * the current one.
 */
export const rememberLanguage = (chosen: Language | null) => {
  if (isPseudo) return false;
  try {
    if (chosen) localStorage.setItem(key, chosen);
    else localStorage.removeItem(key);
  } catch {
    // Without storage the browser's language stays.
    return false;
  }
  // As the next page load decides. A language of another release must not reload forever.
  return languageOf(chosen ?? "") !== language;
};
