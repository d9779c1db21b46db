import { readFileSync } from "node:fs";
import { defineConfig } from "@lingui/cli";
import babel from "@lingui/cli/api/extractors/babel";
import { formatter } from "@lingui/format-po";

/** In single quotes only if the text has double ones. */
const text = String.raw`("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`;
/** \`message("code", "text"\` of the server, \`rule("code", "text"\` of the contract. */
const coded = new RegExp(String.raw`\b(?:message|rule)\(\s*"(\w+)",\s*${text}`, "g");
/** The texts of field declarations. */
const declared = new RegExp(String.raw`\b(?:label|help|placeholder):\s*${text}`, "g");

const read = (quoted: string): string =>
  quoted.startsWith("'") ? quoted.slice(1, -1) : JSON.parse(quoted);

const lineOf = (source: string, index: number) => source.slice(0, index).split("\n").length;

/** Server and contract run without a build step, so their texts are plain calls instead of macros. */
const plainCalls = {
  match: (file: string) => /\/(server|contract)\/src\/.*\.ts$/.test(file),
  extract: (
    file: string,
    _code: string,
    found: (message: { id: string; message: string; origin: [string, number] }) => void,
  ) => {
    const source = readFileSync(file, "utf8");
    for (const { 1: code = "", 2: quoted = "", index } of source.matchAll(coded))
      found({ id: code, message: read(quoted), origin: [file, lineOf(source, index)] });
    if (!file.includes("/contract/")) return;
    for (const { 1: quoted = "", index } of source.matchAll(declared))
      found({
        id: `label:${read(quoted)}`,
        message: read(quoted),
        origin: [file, lineOf(source, index)],
      });
  },
};

export default defineConfig({
  runtimeConfigModule: {
    i18n: ["#lib/i18n.ts", "i18n"],
    Trans: ["#ui/Trans.tsx", "Trans"],
  },
  sourceLocale: "en",
  locales: ["en", "en-GB", "de"],
  // British English only lists what it spells differently.
  fallbackLocales: { default: "en" },
  catalogs: [
    {
      path: "<rootDir>/messages/{locale}",
      include: ["<rootDir>/web/src", "<rootDir>/server/src", "<rootDir>/contract/src"],
      exclude: [
        // They call the runtime with ids, not with texts.
        "web/src/lib/i18n.ts",
        "web/src/lib/serverMessages.ts",
        "web/src/ui/Trans.tsx",
        "**/*.test.ts",
        "**/*.test.tsx",
        "**/*.testing.ts",
        "**/testing.ts",
        "**/fuzz/**",
      ],
    },
  ],
  extractors: [plainCalls, babel],
  format: formatter({ lineNumbers: false }),
});
