import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { lightContract } from "./contractPlugin.ts";
import { messages } from "./messagesPlugin.ts";
import { inlineBoot } from "./pagePlugin.ts";
import { lateSheets } from "./sheetPlugin.ts";
import { iconNames } from "./src/ui/iconNames.ts";

const api = { target: process.env["API_URL"] ?? "http://127.0.0.1:3000", changeOrigin: false };

type Collection = { icons: Record<string, { body: string } | undefined> };

/** The icons used by the screens, as one module. Icons of records are requested when shown. */
const bundledIcons = (): Plugin => {
  const name = "virtual:icons";
  const source = createRequire(import.meta.url).resolve("@iconify-json/tabler/icons.json");
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => {
      if (id !== `\0${name}`) return null;
      const { icons }: Collection = JSON.parse(readFileSync(source, "utf8"));
      const bodyOf = (icon: string) => {
        const body = icons[icon]?.body;
        if (!body) throw new Error(`There is no icon "${icon}" in the collection.`);
        return [icon, body];
      };
      return `export const bodies = ${JSON.stringify(Object.fromEntries(iconNames.map(bodyOf)))};`;
    },
  };
};

/** Removes unused hues from Mantine's variables. */
const dropUnusedHues = (): Plugin => {
  const unused = "blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow";
  return {
    name: "drop-unused-hues",
    enforce: "pre",
    transform: (sheet, id) =>
      id.endsWith("default-css-variables.layer.css")
        ? sheet.replace(
            new RegExp(
              `--mantine-(?:color-(?:${unused}|[a-z]+-outline)|h[1-6]|breakpoint)[a-z0-9-]*:[^;]+;`,
              "g",
            ),
            "",
          )
        : null,
  };
};

const controls =
  /@mantine[\\/](hooks|core[\\/]esm[\\/]components[\\/](Input|InputBase|ActionIcon|CloseButton|TextInput))[\\/]/;
const parts =
  /[\\/]web[\\/]src[\\/](lib[\\/](intl|shortcuts)|lib[\\/]labels[\\/]roles|ui[\\/](Keys|Avatar|Moment|Status|Logo)|ui[\\/]page[\\/](Empty|Tab|Callout|Forbidden)|ui[\\/]popups[\\/]Popup|ui[\\/]record[\\/]relation)\.tsx?/;

export default defineConfig({
  // Relative URLs, because the server decides the base path.
  base: "./",
  plugins: [
    lightContract(),
    messages(),
    react(),
    bundledIcons(),
    dropUnusedHues(),
    lateSheets(),
    inlineBoot(),
  ],
  // The server replaces this placeholder with a new nonce per request.
  html: { cspNonce: "%NONCE%" },
  // The CSP blocks inlined files. One style sheet for all pages, because a second could fail
  // separately; screen styles are in their chunks.
  build: {
    assetsInlineLimit: 0,
    manifest: true,
    cssCodeSplit: false,
    rolldownOptions: {
      // One chunk for everything that the entry imports: many small files compress worse.
      // The same for small parts that nearly every screen uses.
      output: {
        // The first script lists all others, and their hashes are what doesn't compress.
        chunkFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"], priority: 2 },
            { name: "controls", test: controls, priority: 1 },
            { name: "parts", test: parts, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": api, "/icons": api, "/healthz": api, "/readyz": api } },
});
