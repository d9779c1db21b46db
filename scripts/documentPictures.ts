import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderPdf } from "../server/src/modules/documents/pdf/renderPdf.ts";
import {
  exampleInvoice,
  germanCreditNote,
} from "../server/src/modules/documents/testing/examples.ts";
import { pathOf } from "./environment.ts";

// Writes the pictures of docs/documents.md. Needs pdftoppm, which is in poppler-utils.

const pictures = {
  "documents-invoice-en": exampleInvoice,
  "documents-credit-note-de": germanCreditNote,
};

const folder = mkdtempSync(join(tmpdir(), "purser-documents-"));
for (const [name, content] of Object.entries(pictures)) {
  const file = join(folder, `${name}.pdf`);
  writeFileSync(file, await renderPdf(content));
  const picture = pathOf(`docs/pictures/${name}`);
  execFileSync("pdftoppm", ["-r", "90", "-png", "-singlefile", file, picture]);
}
rmSync(folder, { recursive: true });
