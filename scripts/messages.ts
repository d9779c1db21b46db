import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { getCatalogs } from "@lingui/cli/api";
import { getConfig } from "@lingui/conf";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { endpoints } from "../contract/src/endpoints.ts";
import { problems } from "../contract/src/http/problem.ts";
import { pathOf } from "./environment.ts";
import { british } from "./messages/british.ts";
import { literalsIn, tooLongIn } from "./messages/literals.ts";
import { wrongInDocs, wrongOnScreen } from "./messages/voice.ts";

// Extracts the messages of web, server and contract into messages/*.po, with British spelling. `--check` changes nothing, and
// fails on outdated catalogs, missing German, texts outside of the catalogs, banned words and long texts.

const config = getConfig({ cwd: pathOf(".") });
const [catalog] = await getCatalogs(config);
if (!catalog) throw new Error("lingui.config.ts declares no catalog.");

const filesIn = (...patterns: string[]) =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], {
    cwd: pathOf("."),
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => file !== "" && !/\.test\.|\/testing\.ts$|\.d\.ts$/.test(file));

const read = (file: string) => readFileSync(pathOf(file), "utf8");

/** Runs before anything else loads; languages by their own names; names of SVG's parts. */
const withoutMessages = new Set(["boot.ts", "lib/messages.ts", "lib/icons/sanitizeSvg.ts"]);

const screens = () =>
  filesIn("web/src/*.ts", "web/src/*.tsx").filter(
    (file) => !withoutMessages.has(file.replace("web/src/", "")),
  );

const textsOutside = () =>
  screens().flatMap((file) =>
    literalsIn(read(file), file).map(({ line, text }) => `${file}:${line}: ${text}`),
  );

const longTexts = () =>
  screens().flatMap((file) =>
    tooLongIn(read(file), file).map(({ line, text }) => `${file}:${line}: ${text}`),
  );

const extracted = (await catalog.collect()) ?? {};
const english = Object.entries(extracted).map(([id, { message, origin }]) => ({
  id,
  text: message ?? "",
  file: origin[0]?.[0] ?? "",
}));

type Token = string | readonly [name: string, type?: string, cases?: Record<string, Token[]>];

const namesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => {
    if (typeof token === "string") return token.match(/<\/?\d+\/?>/g) ?? [];
    const [name, , cases] = token;
    const forms = Object.values(typeof cases === "object" ? cases : {});
    return [name, ...forms.filter(Array.isArray).flatMap(namesIn)];
  });

/** What a translation needs too: placeholders and numbered elements. */
const placeholders = (text: string) =>
  [...new Set(namesIn(compileMessage(text) as Token[]))].sort().join(" ");

const outdated = async () => {
  const stored = (await catalog.read("en")) ?? {};
  const changed = english.filter(
    ({ id, text }) =>
      stored[id] === undefined || (stored[id].message ?? stored[id].translation) !== text,
  );
  const gone = Object.keys(stored).filter((id) => !extracted[id]);
  return [...changed.map(({ id }) => id), ...gone];
};

const missing = async () => {
  const german = (await catalog.read("de")) ?? {};
  return english.flatMap(({ id, text, file }) => {
    const translation = german[id]?.translation;
    if (!translation) return [`${file}: ${text}`];
    return placeholders(text) === placeholders(translation)
      ? []
      : [`${file}: "${translation}" has other placeholders than "${text}"`];
  });
};

/** British English lists only what it spells differently. */
const britishTexts = () =>
  english.flatMap(({ id, text }) => (british(text) === text ? [] : [[id, british(text)] as const]));

const misspelled = async () => {
  const stored = (await catalog.read("en-GB")) ?? {};
  const wanted = new Map(britishTexts());
  return english
    .filter(({ id }) => (stored[id]?.translation || undefined) !== wanted.get(id))
    .map(({ text }) => text);
};

const writeBritish = async () => {
  const stored = (await catalog.read("en-GB")) ?? {};
  const wanted = new Map(britishTexts());
  for (const [id, entry] of Object.entries(stored)) entry.translation = wanted.get(id) ?? "";
  await catalog.write("en-GB", stored);
};

/** They name the old words. */
const listsOldWords = new Set(["CHANGELOG.md", "docs/glossary.md"]);

const pages = () => [
  ...filesIn("*.md").filter((file) => !listsOldWords.has(file)),
  ".env.example",
  "server/src/main.ts",
];

const banned = () => [
  ...english.flatMap(({ text, file }) =>
    wrongOnScreen(text).map((wrong) => `${file}: ${wrong} in "${text}"`),
  ),
  ...Object.values(problems).flatMap(([, title]) =>
    wrongOnScreen(title).map((wrong) => `${wrong} in "${title}"`),
  ),
  ...Object.values(endpoints).flatMap(({ path, summary }) =>
    wrongInDocs(summary).map((wrong) => `${path}: ${wrong} in "${summary}"`),
  ),
  ...pages().flatMap((file) =>
    read(file)
      .split("\n")
      .flatMap((line, index) => wrongInDocs(line).map((wrong) => `${file}:${index + 1}: ${wrong}`)),
  ),
];

const show = (title: string, found: readonly string[]) => {
  if (found.length === 0) return;
  const shown = process.argv.includes("--all") ? found : found.slice(0, 20);
  console.error(`${title}: ${found.length}\n${shown.map((one) => `  ${one}`).join("\n")}`);
  if (shown.length < found.length) console.error("  … (--all lists the rest)");
  process.exitCode = 1;
};

if (process.argv.includes("--check"))
  show("Not extracted, run `npm run messages`", [...(await outdated()), ...(await misspelled())]);
else {
  execFileSync("lingui", ["extract", "--clean", "--overwrite"], {
    cwd: pathOf("."),
    stdio: ["ignore", "ignore", "inherit"],
  });
  await writeBritish();
}

const untranslated = await missing();
console.log(`${english.length} messages, ${untranslated.length} missing in German`);
show("Missing in German", untranslated);
show("Texts outside of the catalogs", textsOutside());
show("Too long", longTexts());
show("Banned words", banned());
