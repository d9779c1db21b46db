import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { lightContract } from "./contractPlugin.ts";
import { startPage } from "./pagePlugin.ts";
import { lateSheets } from "./sheetPlugin.ts";
import { iconNames } from "./src/ui/iconNames.ts";

const api = { target: process.env["API_URL"] ?? "http://127.0.0.1:3000", changeOrigin: false };

type Collection = { icons: Record<string, { body: string } | undefined> };

/** The icons that the screens themselves use, as one module; an app's own icon is asked for when shown. */
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

/** Mantine's sheet gives every hue ten shades in two schemes; those that no screen shows are left out. */
const fewerHues = (): Plugin => {
  const unused = "blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow";
  return {
    name: "fewer-hues",
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

export default defineConfig({
  // Files name one another by where they are themselves; where that is, the server decides.
  base: "./",
  plugins: [lightContract(), react(), bundledIcons(), fewerHues(), lateSheets(), startPage()],
  // The server puts a fresh nonce in the mark's place, for each request.
  html: { cspNonce: "%NONCE%" },
  // An inlined file would be an address that the content security policy refuses.
  // One sheet for every page: a second file could fail by itself. What only a screen needs is in its code.
  build: { assetsInlineLimit: 0, manifest: true, cssCodeSplit: false },
  server: { proxy: { "/api": api, "/icons": api, "/healthz": api, "/readyz": api } },
});
