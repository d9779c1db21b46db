import { fileURLToPath } from "node:url";
import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { linguiTransformerBabelPreset } from "@lingui/vite-plugin";
import babel from "@rolldown/plugin-babel";
import type { Plugin, PluginOption } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = fileURLToPath(new URL("src/", import.meta.url));
const runtime = `${sources}lib/i18n.ts`;
const languageFile = `${sources}lib/messages.ts`;
const config = getConfig({ cwd: root });

/** The languages besides the source texts. */
const translated = ["en-GB", "de"];
const pseudo = ["pseudo", "pseudo-rtl", "marked"];

const usesMacros = /from "@lingui\/(core|react)\/macro"/;

/** What the page loads before it knows the user: the rest of the shared code comes with the workspace. */
const startFiles = /^(lib\/(api|page|time)|shell\/(errors\/|[^/]+$)|ui\/(page|popups))/;

/** Messages of a screen's folder are loaded together, and so are those of everything that starts with the page. */
const groupOf = (file: string) => {
  const [, screen, name] = /^screens\/((?:[^/]+\/)+)([^/]+)$/.exec(file) ?? [];
  // A list is opened more often than the rest of its folder.
  if (screen && /^(List|labels|actions|queries|Bulk)\.tsx?$/.test(name ?? ""))
    return `${screen.slice(0, -1).replaceAll("/", "-")}-list`;
  if (screen) return screen.slice(0, -1).replaceAll("/", "-");
  const [, part] = /^((?:ui|lib|shell)\/[a-z]+)\//i.exec(file) ?? [];
  if (startFiles.test(file) && file !== "shell/Workspace.tsx") return "start";
  return part ? part.replace("/", "-") : "workspace";
};

/** The group of a message by a file that uses it. Server and contract have one each. */
const groupOfOrigin = (file: string) => {
  if (file.startsWith("web/src/")) return groupOf(file.slice("web/src/".length));
  return file.startsWith("server/") ? "server" : "contract";
};

type Entry = { origin?: [string, number?][]; message?: string; translation?: string };
type Entries = Record<string, Entry>;

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
  return length === 0 ? text : `${letters}${"~".repeat(Math.ceil(length / 3))}`;
};

/** Invisible marks around every text, with which tests find the texts of other origin. */
const mark = (text: string) =>
  text
    .split(/(<\/?\d+\/?>)/)
    .map((part) => (part === "" || part.startsWith("<") ? part : `\u200b${part}\u200b`))
    .join("");

const readCatalogs = async () => {
  const [catalog] = await getCatalogs(config);
  const read = async (locale: string) => ((await catalog?.read(locale)) ?? {}) as Entries;
  return { en: await read("en"), "en-GB": await read("en-GB"), de: await read("de") };
};
type Catalogs = Awaited<ReturnType<typeof readCatalogs>>;

/** A text as the runtime needs it: parsed, and rewritten for tests. */
const changeOf = (locale: string) => {
  if (locale === "marked") return mark;
  return pseudo.includes(locale) ? accent : undefined;
};

const textOf = (catalogs: Catalogs, locale: string, id: string) => {
  const { message, translation } = catalogs.en[id] ?? {};
  if (locale === "en" || pseudo.includes(locale)) return message || translation;
  return catalogs[locale as keyof Catalogs][id]?.translation;
};

/** Server and contract name their messages by codes; those of the pages have hashes for names. */
const isCoded = (group: string) => group === "server" || group === "contract";

const idsOf = (catalogs: Catalogs, group: string) =>
  Object.entries(catalogs.en)
    .filter(([, { origin = [] }]) => origin.some(([file]) => groupOfOrigin(file) === group))
    .map(([id]) => id);

/** The messages of a group in a language, compiled. Without codes they are a list in the order of the ids. */
const compiled = (catalogs: Catalogs, locale: string, group: string) => {
  // The server sends its English texts, and the contract contains its own.
  if (locale === "en" && isCoded(group)) return "export default {};";
  const tokensOf = (id: string) => {
    // A language falls back to English, message by message.
    const text =
      textOf(catalogs, locale, id) || (isCoded(group) ? null : textOf(catalogs, "en", id));
    if (!text) return null;
    const tokens = compileMessage(text, changeOf(locale));
    return tokens.length === 1 && typeof tokens[0] === "string" ? tokens[0] : tokens;
  };
  const entries = idsOf(catalogs, group).map((id) => [id, tokensOf(id)] as const);
  const messages = isCoded(group)
    ? Object.fromEntries(entries.filter(([, tokens]) => tokens !== null))
    : entries.map(([, tokens]) => tokens);
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(messages))});`;
};

const loading = (group: string, names: readonly string[] | null) => `
import { addMessages } from ${JSON.stringify(runtime)};
import { locale } from ${JSON.stringify(languageFile)};
const catalogs = {
${["en", ...translated, ...pseudo].map((one) => `  ${JSON.stringify(one)}: () => import("virtual:catalog/${one}/${group}"),`).join("\n")}
};
addMessages((await catalogs[locale]()).default, ${JSON.stringify(names)});
`;

/**
 * Loads the messages that a module uses in the user's language before the module runs. So every text can be
 * read at any time, also outside of components.
 */
const splitMessages = (): Plugin => {
  let isBuild = false;
  let catalogs: Promise<Catalogs> | null = null;
  /** The groups in the order in which they are met, for short ids. */
  const groups: string[] = [];
  const prefixOf = (group: string) => {
    if (!groups.includes(group)) groups.push(group);
    return `${groups.indexOf(group).toString(36)}.`;
  };
  const read = () => {
    catalogs ??= readCatalogs();
    return catalogs;
  };
  const namesOf = async (group: string) => {
    if (isCoded(group)) return null;
    // A build numbers the messages: their hashes hardly compress.
    return isBuild ? [prefixOf(group)] : idsOf(await read(), group);
  };
  return {
    name: "split-messages",
    enforce: "pre",
    configResolved: ({ command }) => {
      isBuild = command === "build";
    },
    resolveId: (id) => (/^virtual:(messages|catalog)\//.test(id) ? `\0${id}` : null),
    async load(id) {
      const [, kind, rest = ""] = /^\0virtual:(messages|catalog)\/(.+)$/.exec(id) ?? [];
      if (kind === "messages") return loading(rest, await namesOf(rest));
      if (kind !== "catalog") return null;
      for (const one of ["en", ...translated]) this.addWatchFile(`${root}messages/${one}.po`);
      const [locale = "", group = ""] = rest.split("/");
      return compiled(await read(), locale, group);
    },
    watchChange: () => {
      catalogs = null;
    },
    transform(code, id) {
      if (!id.startsWith(sources) || !usesMacros.test(code)) return null;
      const group = groupOf(id.slice(sources.length));
      return { code: `import "virtual:messages/${group}";${code}`, map: null };
    },
    api: {
      shorten: async (code: string, file: string) => {
        if (!isBuild) return null;
        const group = groupOf(file);
        const ids = idsOf(await read(), group);
        return code.replace(
          /(\bid(?:: |=\{?))"([\w+/-]{6})"/g,
          (all, before: string, id: string) => {
            const place = ids.indexOf(id);
            return place < 0 ? all : `${before}"${prefixOf(group)}${place.toString(36)}"`;
          },
        );
      },
    },
  };
};

type Shorten = { shorten: (code: string, file: string) => Promise<string | null> };

/** After the macros: numbers instead of hashes. */
const shortIds = ({ shorten }: Shorten): Plugin => ({
  name: "short-message-ids",
  async transform(code, id) {
    if (!id.startsWith(sources) || !code.includes("virtual:messages/")) return null;
    const short = await shorten(code, id.slice(sources.length));
    return short === null ? null : { code: short, map: null };
  },
});

/** Everything that the macros of Lingui need, for Vite and for tests. */
export const messages = (): PluginOption[] => {
  const split = splitMessages();
  return [
    split,
    babel({ presets: [linguiTransformerBabelPreset({ linguiConfig: config }, { cwd: root })] }),
    shortIds(split.api as Shorten),
  ];
};
