import type { Page } from "@playwright/test";
import { compiledText, type Locale, readCatalogs } from "../../web/catalogs.ts";

// Journeys name buttons and fields in English. Here they find them in another language.

type Token = string | readonly [name: string, type?: string, cases?: Record<string, Token[]>];
type Variant = { text: string; names: string[] };

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const hole = "\u0000";

const withoutTags = (text: string) => text.replace(/<\/?\d+\/?>/g, "");

/** A message in one of its plural or select forms, with a hole for each placeholder. */
const variantOf = (tokens: readonly Token[], form: string): Variant => {
  const parts = tokens.map((token): Variant => {
    if (token === "#") return { text: hole, names: ["#"] };
    if (typeof token === "string") return { text: token, names: [] };
    const [name, , cases] = token;
    return cases
      ? variantOf(cases[form] ?? cases["other"] ?? [], form)
      : { text: hole, names: [name] };
  });
  return {
    text: parts.map(({ text }) => text).join(""),
    names: parts.flatMap(({ names }) => names),
  };
};

const patternOf = ({ text }: Variant) => withoutTags(text).split(hole).map(escaped).join("(.+?)");

/** Without elements and placeholders. */
const ownText = ({ text }: Variant) => withoutTags(text).replaceAll(hole, "");

const filled = ({ text, names }: Variant, english: Variant, values: readonly string[]) => {
  let place = 0;
  return withoutTags(text).replaceAll(hole, () => {
    const index = english.names.indexOf(names[place++] ?? "");
    return values[index] ?? "";
  });
};

type Pair = { english: Variant; other: Variant; pattern: RegExp };

const pairsOf = async (locale: Locale): Promise<Pair[]> => {
  const catalogs = await readCatalogs();
  return Object.keys(catalogs.en).flatMap((id) => {
    const tokensIn = (one: Locale) => [compiledText(catalogs, one, id) ?? ""].flat() as Token[];
    const [source, translation] = [tokensIn("en"), tokensIn(locale)];
    return ["one", "other", "0"].map((form) => {
      const english = variantOf(source, form);
      return {
        english,
        other: variantOf(translation, form),
        pattern: new RegExp(`^${patternOf(english)}$`),
      };
    });
  });
};

const createTranslator = async (locale: Locale) => {
  const pairs = await pairsOf(locale);
  const plain = new Map(
    pairs
      .filter(({ english }) => english.names.length === 0)
      .map((pair) => [pair.english.text, pair]),
  );
  /** Locators may give only the beginning of a text, or an amount. */
  const beginningOf = (english: string) => {
    if (locale === "de" && /^[\d,]+\.\d\d [A-Z]{3}$/.test(english))
      return english.replace(/[,.]/g, (sign) => (sign === "." ? "," : "."));
    const longer = pairs.find(({ english: one }) => one.text.startsWith(english));
    return longer?.other.text.split(hole)[0] || english;
  };
  const text = (english: string): string => {
    const known = plain.get(english);
    if (known) return known.other.text;
    // The one with the most words of its own is meant.
    const [best] = pairs
      .filter(({ pattern, english: { names } }) => names.length > 0 && pattern.test(english))
      .sort((a, b) => ownText(b.english).length - ownText(a.english).length);
    if (!best || !/\p{L}{2}/u.test(ownText(best.english))) return beginningOf(english);
    const [, ...values] = best.pattern.exec(english) ?? [];
    return filled(best.other, best.english, values);
  };
  const pattern = (english: RegExp) => {
    if (!/[A-Za-z]{2}/.test(english.source)) return english;
    const matching = pairs.filter(({ english: one }) =>
      english.test(one.text.replaceAll(hole, "1")),
    );
    const sources = matching.map(({ other }) => patternOf(other).replaceAll("(.+?)", ".+"));
    return new RegExp([...new Set([english.source, ...sources])].join("|"), english.flags);
  };
  const shown = new Set(
    pairs.filter(({ other }) => other.names.length === 0).map(({ other }) => other.text),
  );
  return {
    translate: (given: string | RegExp) =>
      typeof given === "string" ? text(given) : pattern(given),
    isMessage: (given: string) => shown.has(given),
  };
};
type Translator = Awaited<ReturnType<typeof createTranslator>>;

const translators = new Map<Locale, Promise<Translator>>();
/** Turns English texts and patterns into those of a language. Tests share it, because it reads whole catalogs. */
export const translatorTo = (locale: Locale) => {
  const known = translators.get(locale) ?? createTranslator(locale);
  translators.set(locale, known);
  return known;
};

type Options = { name?: string | RegExp; hasText?: string | RegExp };
type Method = (this: unknown, first: unknown, options?: Options) => unknown;

const byText = ["getByText", "getByLabel", "getByPlaceholder", "getByTitle"];

const inLanguage = (options: Options | undefined, { translate }: Translator) =>
  options && {
    ...options,
    ...(options.name !== undefined && { name: translate(options.name) }),
    ...(options.hasText !== undefined && { hasText: translate(options.hasText) }),
  };

/** From now on locators of all pages look for texts in the language. Returns a function that ends this. */
export const translateLocators = (page: Page, translator: Translator) => {
  const prototypes = [page, page.locator("html")].map(
    (one) => Object.getPrototypeOf(one) as Record<string, Method>,
  );
  const restore = prototypes.flatMap((prototype) =>
    [...byText, "getByRole", "filter"].flatMap((name) => {
      const original = prototype[name];
      if (!original) return [];
      prototype[name] = function (first, options) {
        if (name === "filter") return original.call(this, inLanguage(first as Options, translator));
        const given = byText.includes(name) ? translator.translate(first as string) : first;
        return original.call(this, given, inLanguage(options, translator));
      };
      return [
        () => {
          prototype[name] = original;
        },
      ];
    }),
  );
  return () => {
    for (const one of restore) one();
  };
};
