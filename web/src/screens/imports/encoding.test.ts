import { expect, test } from "vitest";
import { encodingOf } from "./encoding.ts";

const rows = "email,name\n".padEnd(3_000_000, "a@example.com,Ann\n");
const utf16 = (text: string, first: [number, number], swapped: boolean) => {
  const bytes = Buffer.from(text, "utf16le");
  return [Uint8Array.of(...first), swapped ? bytes.swap16() : bytes];
};

test.each([
  ["utf-8", "Müller", [rows, "Müller"]],
  ["utf-8", "Müller", ["\ufeff", rows, "Müller"]],
  ["windows-1252", "Müller", [rows, Uint8Array.of(0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72)]],
  ["utf-16le", "Müller", utf16("Müller", [0xff, 0xfe], false)],
  ["utf-16be", "Müller", utf16("Müller", [0xfe, 0xff], true)],
])("recognizes %s, also by a letter far from the start", async (encoding, name, parts) => {
  const file = new Blob(parts as BlobPart[]);
  const found = await encodingOf(file);
  expect(found).toBe(encoding);
  expect(new TextDecoder(found).decode(await file.arrayBuffer()).endsWith(name)).toBe(true);
});

test("a letter split between two reads is still UTF-8", async () => {
  const before = "a".repeat(999_999);
  expect(await encodingOf(new Blob([before, "é", before]))).toBe("utf-8");
});
