import { build, type Plugin } from "vite";

const boot = new URL("src/boot.ts", import.meta.url).pathname;

/** A script of its own, without imports, to stand in the page. */
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
 * The page's own script in the page itself, and every sheet behind the first words: a sheet in the head
 * would keep them from being painted until it has come.
 */
export const startPage = (): Plugin => ({
  name: "start-page",
  transformIndexHtml: {
    order: "post",
    handler: async (html) => {
      const sheets = html.match(/ *<link rel="stylesheet"[^>]*>\n?/g) ?? [];
      const moved = sheets
        .reduce((page, sheet) => page.replace(sheet, ""), html)
        .replace("</body>", () => `${sheets.join("")}  </body>`);
      const nonce = moved.includes('nonce="%NONCE%"') ? ' nonce="%NONCE%"' : "";
      const script = `<script${nonce}>${(await inlined()).trim()}</script>`;
      // Before the first file is asked for, so that none can fail unheard.
      return moved.replace(/<script[^>]* src=/, (first) => `${script}\n    ${first}`);
    },
  },
});
