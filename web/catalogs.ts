import { fileURLToPath } from "node:url";
import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import { compileMessage } from "@lingui/message-utils/compileMessage";

const root = fileURLToPath(new URL("..", import.meta.url));
export const config = getConfig({ cwd: root });

/** The languages besides the source texts. */
export const translatedLocales = ["en-GB", "de"] as const;
/** For translators and tests: accented English, also from right to left, and English with marks. */
export const pseudoLocales = ["pseudo", "pseudo-rtl", "marked"] as const;
export type Locale = "en" | (typeof translatedLocales | typeof pseudoLocales)[number];
const isPseudo = (locale: Locale) => (pseudoLocales as readonly string[]).includes(locale);

export const catalogFiles = ["en", ...translatedLocales].map(
  (locale) => `${root}messages/${locale}.po`,
);

type Entry = { origin?: [string, number?][]; message?: string; translation?: string };
type Entries = Record<string, Entry | undefined>;
/** Pseudo-locales have none. */
export type Catalogs = { en: Entries } & Partial<Record<Locale, Entries>>;

export const readCatalogs = async () => {
  const [catalog] = await getCatalogs(config);
  const read = async (locale: string) => ((await catalog?.read(locale)) ?? {}) as Entries;
  const catalogs: Catalogs = { en: await read("en") };
  for (const locale of translatedLocales) catalogs[locale] = await read(locale);
  return catalogs;
};

const accents: Record<string, string> = Object.fromEntries(
  [..."aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ"].map((letter, index) => [
    letter,
    [..."áÁƀƁćĆďĎéÉƒƑĝĜĥĤíÍĵĴķĶĺĹɱḾńŃóÓṕṔɋɊŕŔśŚťŤúÚṽṼŵŴẋẊýÝźŹ"][index] ?? letter,
  ]),
);
/** Every letter accented and a third longer, so that untranslated and clipped texts are seen. */
const accent = (text: string) => {
  const letters = [...text].map((letter) => accents[letter] ?? letter).join("");
  const { length } = text.replace(/<\/?\d+\/?>/g, "").trim();
  // With spaces, because lines of a real language break too.
  const added = "~".repeat(Math.ceil(length / 3)).replaceAll(/~{8}(?=~)/g, "$& ");
  return length === 0 ? text : `${letters}${added}`;
};

/** Invisible marks around every text, with which tests find texts that are no messages. */
const mark = (text: string) =>
  text
    .split(/(<\/?\d+\/?>)/)
    .map((part) => (part === "" || part.startsWith("<") ? part : `\u200b${part}\u200b`))
    .join("");

const changeOf = (locale: Locale) => {
  if (locale === "marked") return mark;
  return isPseudo(locale) ? accent : undefined;
};

/** A message in a language. What it doesn't have is English. */
const textOf = (catalogs: Catalogs, locale: Locale, id: string) => {
  const { message, translation } = catalogs.en[id] ?? {};
  return catalogs[locale]?.[id]?.translation || message || translation;
};

/** A message as the runtime needs it: a string, or parsed if it has placeholders. */
export const compiledText = (catalogs: Catalogs, locale: Locale, id: string) => {
  const text = textOf(catalogs, locale, id);
  if (text === undefined) return undefined;
  const tokens = compileMessage(text, changeOf(locale));
  return tokens.length === 1 && typeof tokens[0] === "string" ? tokens[0] : tokens;
};

/** A label or a rule: only simple placeholders, filled in without a parser. */
export const plainText = (catalogs: Catalogs, locale: Locale, id: string) => {
  const text = textOf(catalogs, locale, id);
  const change = changeOf(locale);
  if (text === undefined || !change) return text;
  return text
    .split(/(\{\w+\})/)
    .map((part) => (part === "" || part.startsWith("{") ? part : change(part)))
    .join("");
};

const compiledOf = (catalogs: Catalogs, locale: Locale, ids: string[]) =>
  Object.fromEntries(
    ids.flatMap((id) => {
      const text = compiledText(catalogs, locale, id);
      return text === undefined ? [] : [[id, typeof text === "string" ? [text] : text]];
    }),
  );

const idsFrom = ({ en }: Catalogs, ...parts: string[]) =>
  Object.keys(en).filter((id) =>
    en[id]?.origin?.some(([file]) => parts.some((part) => file.startsWith(part))),
  );

/** All messages of the dashboard, for the development server and for tests. */
export const dashboardCatalog = (catalogs: Catalogs, locale: Locale) =>
  compiledOf(catalogs, locale, idsFrom(catalogs, "web/src/"));

/** The messages that the server sends by their codes. */
export const serverCatalog = (catalogs: Catalogs, locale: Locale) => {
  // The texts of printed documents never reach a browser.
  const printed = new Set(idsFrom(catalogs, "server/src/modules/documents/pdf/"));
  const ids = idsFrom(catalogs, "server/src/", "contract/src/").filter(
    (id) => !id.startsWith("label:") && !printed.has(id),
  );
  // Without a translation the text of the server is used. It is the same, except for the dates and amounts in it.
  const isNeeded = (id: string) =>
    isPseudo(locale) ||
    (locale !== "en" && catalogs[locale]?.[id]?.translation) ||
    textOf(catalogs, "en", id)?.includes("{");
  return compiledOf(catalogs, locale, ids.filter(isNeeded));
};
