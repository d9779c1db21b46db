import type { Plugin } from "vite";

const mark = "\0late-sheet:";
const adopt = new URL("src/ui/styles/adoptSheet.ts", import.meta.url).pathname;

/** The first sheet contains our shared styles and the Mantine styles they import. */
const isLate = (file: string, importer: string) =>
  /\/src\/(screens|shell\/notifications|ui\/(account|matrix|dates|charts|reports|comments|history|list\/views))\//.test(
    file,
  ) ||
  (file.endsWith(".layer.css") && !importer.endsWith("/ui/styles/styles.ts"));

/**
 * Bundles a screen's styles into its chunk: they can't fail separately, and always follow the first
 * sheet.
 */
export const lateSheets = (): Plugin => ({
  name: "late-sheets",
  apply: "build",
  enforce: "pre",
  resolveId: async function (source, importer) {
    if (!importer || importer.startsWith(mark) || !source.endsWith(".css")) return null;
    const file = await this.resolve(source, importer, { skipSelf: true });
    return file && isLate(file.id, importer) ? `${mark}${file.id}.js` : null;
  },
  load: (id) => {
    if (!id.startsWith(mark)) return null;
    const file = id.slice(mark.length, -".js".length);
    const text = JSON.stringify(`${file}?inline`);
    return `import text from ${text};\nimport { adoptSheet } from ${JSON.stringify(adopt)};\nadoptSheet(text);`;
  },
});
