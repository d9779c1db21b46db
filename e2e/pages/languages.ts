import type { Page } from "@playwright/test";

export const useLanguage = (page: Page, language: string) =>
  page.addInitScript((chosen) => {
    // A blank page has no storage.
    if (location.protocol !== "about:") localStorage.setItem("purser-language", chosen);
  }, language);

/** English with invisible marks around every message. Locators ignore the marks. */
export const useMarkedTexts = (page: Page) => useLanguage(page, "marked");

/** Values such as "draft" are never shown as they are, so they are no data. */
const isCode = (value: string) => /^[a-z]+(?: [a-z]+)*$/.test(value);

const stringsIn = (value: unknown): string[] => {
  if (typeof value === "string") return isCode(value) ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** Collects the names, codes and notes that the server sends from now on. */
export const collectData = (page: Page) => {
  const data = new Set<string>();
  const reading: Promise<void>[] = [];
  page.on("response", (response) => {
    if (!response.headers()["content-type"]?.includes("json")) return;
    const read = async () => {
      const body: unknown = await response.json().catch(() => null);
      // Sentences of the server are messages too.
      for (const text of stringsIn(body))
        if (!/[a-z]{2} [a-z]+ [a-z]+.*\.$/.test(text)) data.add(text);
    };
    reading.push(read());
  });
  return {
    all: async () => {
      await Promise.all(reading);
      return [...data];
    },
  };
};
type Data = ReturnType<typeof collectData>;

/** What Intl writes, units, and names of things that no language changes. */
const relativeTimes =
  /\b(?:in )?\d+ (?:second|minute|hour|day|week|month|year)s?(?: ago)?\b|yesterday|tomorrow/g;
const universal =
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|AM|PM|UTC|GMT|[A-Z]{3}|Purser|Stripe|SSO|API|CSV|JSON|YAML|iOS|Android|Esc|Ctrl|Shift|Enter|Tab|Alt|ms|kB|Deutsch)\b|English \((?:US|UK)\)/g;
const timeZones = /[A-Z][A-Za-z]+\/(?:[A-Za-z_/ +-]+(?= \(UTC)|[A-Za-z_/+-]+)/g;
/** Data of the tests that looks like codes: options and units of features, the group of a package, the icon of a new app. */
const lowercaseData = new Set([
  "coast",
  "ocean",
  "world",
  "plans",
  "seat",
  "seats",
  "exports",
  "apps",
]);

/** Countries, languages and currencies as the browser names them. */
const displayNames = (page: Page) =>
  page.evaluate(() => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const pairs = letters.flatMap((a) => letters.map((b) => `${a}${b}`));
    const codes = {
      region: pairs,
      language: [...pairs.map((pair) => pair.toLowerCase()), "en-GB", "en-US", "pt-BR"],
      currency: Intl.supportedValuesOf("currency"),
    };
    return Object.entries(codes).flatMap(([type, all]) => {
      const names = new Intl.DisplayNames("en-US", { type: type as keyof typeof codes });
      return all.map((code) => names.of(code) ?? code);
    });
  });

const textsIn = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [document.title];
    while (walker.nextNode()) {
      const { parentElement } = walker.currentNode;
      // The letters that match a search are elements of their own.
      const marked = parentElement?.querySelector(":scope > mark") ? parentElement : null;
      const { textContent } =
        parentElement?.closest("mark")?.parentElement ?? marked ?? walker.currentNode;
      const isCode = parentElement?.closest("script, style, pre, code, kbd, textarea, noscript");
      if (!isCode && textContent) texts.push(textContent);
    }
    return texts;
  });

const descriptionsIn = (page: Page) =>
  page.evaluate(() =>
    ["aria-label", "title", "placeholder", "alt", "aria-description"].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)]
        .filter((element) => !element.closest("pre, code, kbd, [aria-hidden=true]"))
        .map((element) => element.getAttribute(name) ?? ""),
    ),
  );

/** Texts and attributes on the page, without inputs and code. */
const shownTexts = async (page: Page) => [
  ...(await textsIn(page)),
  ...(await descriptionsIn(page)),
];

/** Of a name, in an avatar. */
const isInitials = (text: string) => /^\p{L}{1,2}$/u.test(text);

/** Texts on the page that are neither messages nor data. */
export const untranslatedTexts = async (page: Page, data: Data) => {
  // Before the data, because a part of the page may still load.
  const shown = new Set(await shownTexts(page));
  // A number such as "23" would cut a code like "app-a23b" into letters that look like a text.
  const known = (await data.all())
    .filter((value) => /\p{L}{2}/u.test(value))
    .sort((a, b) => b.length - a.length);
  const names = new Set(await displayNames(page));
  return [...shown].flatMap((text) => {
    const rest = text.replace(/\u200b[^\u200b]*\u200b/g, " ");
    const isData = (left: string) => {
      const name = left.replace(/^[\s,:]+|[\s,:]+$/g, "");
      return names.has(name) || isInitials(name);
    };
    if (isData(rest)) return [];
    const unknown = known
      .reduce(
        (left, value) => left.replaceAll(value, " "),
        // First, because they are known as a whole.
        rest.replace(relativeTimes, " ").replace(timeZones, " "),
      )
      .replace(universal, " ")
      .replace(/\p{L}+/gu, (word) => (lowercaseData.has(word) ? " " : word))
      .replace(/\S+@\S+|https?:\S+|(?<!\S)\/\S+|\S*\d\S*/g, " ");
    // A message can contain the name of a country next to other data, such as "Edit VAT in Finland"
    // or "Finland, 25.5%".
    return isData(unknown) || !/\p{L}{2}/u.test(unknown) ? [] : [text.trim()];
  });
};
