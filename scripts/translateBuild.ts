import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import {
  type Catalogs,
  compiledText,
  type Locale,
  plainText,
  pseudoLocales,
  readCatalogs,
  serverCatalog,
  translatedLocales,
} from "../web/catalogs.ts";
import { idIn, placeholder } from "../web/messagesPlugin.ts";
import { pathOf } from "./environment.ts";

const assets = pathOf("web/dist/assets");
const page = pathOf("web/dist/index.html");

/** The code of a file with its texts in a language. */
const translate = (code: string, catalogs: Catalogs, locale: Locale) => {
  const textOf = (kind: string, id: string) => {
    if (kind === "s") return serverCatalog(catalogs, locale);
    const text = (kind === "m" ? compiledText : plainText)(catalogs, locale, id);
    if (text === undefined) throw new Error(`There is no message "${id}".`);
    return text;
  };
  const translated = code.replace(placeholder, (_, _quote, kind: string, encoded: string) =>
    JSON.stringify(textOf(kind, idIn(encoded))),
  );
  const left = /.{0,60}@@\w\..{0,60}/.exec(translated);
  if (left) throw new Error(`A text is not in quotes of its own: ${left[0]}`);
  return translated;
};

/** The end of file names in a language. It changes with the texts, because files are cached forever. */
const versionOf = (catalogs: Catalogs, locale: Locale) => {
  const entries = catalogs[locale];
  if (!entries) return locale;
  const texts = Object.entries(entries).map(([id, entry]) => [id, entry?.translation]);
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 8);
};

const scripts =
  /^ *<(?:script type="module"|link rel="modulepreload")[^>]*"(\.\/assets\/[^"]+)"[^>]*>(?:<\/script>)?\n/gm;

/** The page's own script starts the files of the user's language. */
const withEntries = (html: string, namesIn: Map<Locale, (name: string) => string>) => {
  const found = [...html.matchAll(scripts)];
  if (found.length === 0) throw new Error("The page starts no script, or was translated before.");
  const entries = Object.fromEntries(
    [...namesIn].map(([locale, rename]) => [locale, found.map(([, file = ""]) => rename(file))]),
  );
  return html
    .replace(scripts, "")
    .replace(
      /<script( nonce="%NONCE%")?>/,
      (own, nonce = "") =>
        `<script type="application/json" id="entries"${nonce}>${JSON.stringify(entries)}</script>\n    ${own}`,
    );
};

/** Writes the files of each language next to the English ones. Pseudo-locales are for tests. */
export const translateBuild = async ({ withPseudo }: { withPseudo: boolean }) => {
  const catalogs = await readCatalogs();
  const files = readdirSync(assets).filter((file) => file.endsWith(".js"));
  const codes = files.map((file) => [file, readFileSync(`${assets}/${file}`, "utf8")] as const);
  const names = new RegExp(files.map((file) => file.replaceAll(".", "\\.")).join("|"), "g");
  const namesIn = new Map<Locale, (name: string) => string>([["en", (name) => name]]);
  for (const locale of [...translatedLocales, ...(withPseudo ? pseudoLocales : [])]) {
    const version = versionOf(catalogs, locale);
    const rename = (name: string) => name.replace(/\.js$/, `-${version}.js`);
    for (const [file, code] of codes)
      writeFileSync(
        `${assets}/${rename(file)}`,
        translate(code, catalogs, locale).replace(names, rename),
      );
    namesIn.set(locale, rename);
  }
  for (const [file, code] of codes)
    writeFileSync(`${assets}/${file}`, translate(code, catalogs, "en"));
  writeFileSync(page, withEntries(readFileSync(page, "utf8"), namesIn));
};
