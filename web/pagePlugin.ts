import { build, type Plugin } from "vite";

const boot = new URL("src/boot.ts", import.meta.url).pathname;

/** Bundles boot.ts as a script without imports. */
const inlined = async () => {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, rollupOptions: { input: boot, output: { format: "iife" } } },
  });
  const [output] = [result].flat();
  const chunk = output && "output" in output ? output.output[0] : undefined;
  if (chunk?.type !== "chunk") throw new Error("The page's own script could not be built.");
  return chunk.code;
};

/**
 * Inlines boot.ts, and moves style sheets to the end of the body: in the head they would delay the
 * first paint.
 */
export const inlineBoot = (): Plugin => ({
  name: "inline-boot",
  transformIndexHtml: {
    order: "post",
    handler: async (html) => {
      const sheets = html.match(/ *<link rel="stylesheet"[^>]*>\n?/g) ?? [];
      const moved = sheets
        .reduce((page, sheet) => page.replace(sheet, ""), html)
        .replace("</body>", () => `${sheets.join("")}  </body>`);
      const nonce = moved.includes('nonce="%NONCE%"') ? ' nonce="%NONCE%"' : "";
      const script = `<script${nonce}>${(await inlined()).trim()}</script>`;
      // Before the first file is requested, so that no load error is missed.
      return moved.replace(/<script[^>]* src=/, (first) => `${script}\n    ${first}`);
    },
  },
});
