import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import type { Plugin, PluginOption } from "vite";
import {
  type Catalogs,
  catalogFiles,
  config,
  dashboardCatalog,
  type Locale,
  pseudoLocales,
  readCatalogs,
  serverCatalog,
  translatedLocales,
} from "./catalogs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = fileURLToPath(new URL("src/", import.meta.url));
const contract = `${root}contract/src/`;
const languageFile = `${sources}lib/messages.ts`;

/** A quoted string in JavaScript or JSON. */
const quoted = String.raw`"((?:[^"\\]|\\.)*)"`;
const labels = new RegExp(String.raw`("?\b(?:label|help|placeholder)"?:\s*)${quoted}`, "g");
/** `appLabels`: the labels of all fields, by their names. */
const labelLists = /^export const \w+Labels = \{.*\};$/gm;
const values = new RegExp(`(:)${quoted}`, "g");
const rules = new RegExp(String.raw`(\brule\(\s*"(\w+)",\s*)${quoted}`, "g");
const macroIds = /(\bid(?:: |=\{?))"([\w+/-]{6})"/g;

/** What stands for a text until `scripts/translateBuild.ts` inserts it in each language. */
export const placeholder = /(["'`])@@(\w)\.([\w-]*)\.\w*@@\1/g;
export const idIn = (encoded: string) => Buffer.from(encoded, "base64url").toString();

type Kind = "message" | "text" | "server";
/** The text is part of it, so that the names of files change with the texts in them. */
const placeholderOf = (kind: Kind, id: string, text: string) => {
  const version = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `"@@${kind[0]}.${Buffer.from(id).toString("base64url")}.${version}@@"`;
};

const perLocale = (name: string) =>
  ["en", ...translatedLocales, ...pseudoLocales]
    .map((locale) => `${JSON.stringify(locale)}: () => import("virtual:${name}/${locale}"),`)
    .join("\n");

/** The messages of the user's language at run time. */
const loading = (name: string) => `
import { locale } from ${JSON.stringify(languageFile)};
export const { messages } = await { ${perLocale(name)} }[locale]();
`;

const catalogOf = (catalogs: Catalogs, name: string, locale: Locale) =>
  name === "server-messages" ? serverCatalog(catalogs, locale) : dashboardCatalog(catalogs, locale);

let catalogs: Promise<Catalogs> | null = null;
const read = () => {
  catalogs ??= readCatalogs();
  return catalogs;
};

/**
 * A build contains placeholders instead of texts, for one set of files per language: a page loads exactly the texts
 * that its code shows, and no catalog after it. The development server and tests load whole catalogs.
 */
const insertMessages = (): Plugin => {
  let isBuild = false;
  const inContract = async (code: string) => {
    const known = await read();
    const label = (all: string, before: string, text: string) => {
      const id = `label:${JSON.parse(`"${text}"`)}`;
      return known.en[id] ? `${before}${placeholderOf("text", id, "")}` : all;
    };
    return code
      .replace(labelLists, (list) => list.replace(values, label))
      .replace(labels, label)
      .replace(rules, (all, before: string, id: string, text: string) =>
        known.en[id] ? `${before}${placeholderOf("text", id, text)}` : all,
      );
  };
  return {
    name: "insert-messages",
    enforce: "pre",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    resolveId: (id) => (/^virtual:(server-)?messages(\/|$)/.test(id) ? `\0${id}` : null),
    async load(id) {
      const [, name, locale] = /^\0virtual:((?:server-)?messages)(?:\/(.+))?$/.exec(id) ?? [];
      if (!name) return null;
      for (const file of catalogFiles) this.addWatchFile(file);
      if (locale) {
        const messages = catalogOf(await read(), name, locale as Locale);
        return `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))});`;
      }
      if (!isBuild) return loading(name);
      if (name === "messages") return "export const messages = {};";
      const all = JSON.stringify(serverCatalog(await read(), "pseudo"));
      return `export const messages = ${placeholderOf("server", "", all)};`;
    },
    watchChange: () => {
      catalogs = null;
    },
    async transform(code, id) {
      if (!isBuild || !(id.startsWith(contract) || id.startsWith("\0contract:"))) return null;
      return { code: await inContract(code), map: null };
    },
  };
};

/** After the macros, which replace texts by ids. */
const replaceIds = (): Plugin => ({
  name: "replace-message-ids",
  apply: "build",
  async transform(code, id) {
    if (!id.startsWith(sources)) return null;
    const { en } = await read();
    const replaced = code.replace(macroIds, (all, before: string, found: string) =>
      // Only messages of the macros have a text besides their translation. The server's codes are no ids of theirs.
      en[found]?.message === undefined ? all : `${before}${placeholderOf("message", found, "")}`,
    );
    return replaced === code ? null : { code: replaced, map: null };
  },
});

/** Everything that the macros of Lingui need, for Vite and for tests. */
export const messages = (): PluginOption[] => [
  insertMessages(),
  babel({ presets: [linguiTransformerBabelPreset({ linguiConfig: config }, { cwd: root })] }),
  replaceIds(),
];
