import type { Plugin } from "vite";

const mark = "\0late-sheet:";
const adopt = new URL("src/ui/styles/adoptSheet.ts", import.meta.url).pathname;

/** What every page needs is in the first sheet: our own parts, and what they name of Mantine's. */
const isLate = (file: string, importer: string) =>
  /\/src\/(screens|ui\/matrix)\//.test(file) ||
  (file.endsWith(".layer.css") && !importer.endsWith("/ui/styles/styles.ts"));

/**
 * A screen's own sheet travels inside its code: it cannot fail by itself, and it always stands behind the
 * first sheet, whatever was loaded before.
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
