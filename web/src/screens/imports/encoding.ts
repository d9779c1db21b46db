const readAtOnce = 1_000_000;

const isUtf8 = async (file: Blob) => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let from = 0; from < file.size; from += readAtOnce) {
      const to = from + readAtOnce;
      const bytes = await file.slice(from, to).arrayBuffer();
      decoder.decode(bytes, { stream: to < file.size });
    }
    return true;
  } catch {
    return false;
  }
};

/**
 * Files of older programs are rarely UTF-8. The whole file is read, because the first letter that shows it may be far
 * from the start, and would otherwise be replaced without notice.
 */
export const encodingOf = async (file: Blob) => {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return (await isUtf8(file)) ? "utf-8" : "windows-1252";
};
