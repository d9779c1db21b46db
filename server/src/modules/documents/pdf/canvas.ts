import type { Font } from "fontkit";
import PDFDocument from "pdfkit";
import { colors, page, type Style } from "./measures.ts";
import { openTypeface, printable } from "./typeface.ts";
import { wrapText } from "./wrap.ts";

declare global {
  namespace PDFKit.Mixins {
    // What pdfkit has and its types don't.
    interface StructureElementOptions {
      scope?: "Row" | "Column";
    }
    interface PDFFont {
      registerFont(name: string, font: Font): this;
    }
  }
}

/** A place in the structure that screen readers follow. */
export type Tag = {
  parent: PDFKit.PDFStructureElement;
  type: string;
  scope?: "Row" | "Column";
  alt?: string;
};

type Block = {
  lines: readonly string[];
  x: number;
  /** Of the first line's baseline. */
  y: number;
  style: Style;
  /** Lines end at `x` if they are aligned to the right. */
  align?: "left" | "right";
};

export type About = { title: string; author: string; language: string; at: Date };

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string) =>
  text.replace(/[&<>]/g, (character) => entities[character] ?? character);

/** pdfkit 0.20 puts title and author into the XML of the metadata as they are. */
const escapeMetadata = (doc: PDFKit.PDFDocument) => {
  const append = doc.appendXML.bind(doc);
  doc.appendXML = (xml, newLine) =>
    append(xml.replace(/(?<=<rdf:li[^>]*>).*(?=<\/rdf:li>)/s, escaped), newLine);
};

const openDocument = ({ title, author, language, at }: About) => {
  const doc = new PDFDocument({
    size: "A4",
    margin: 0,
    bufferPages: true,
    pdfVersion: "1.7",
    subset: "PDF/A-3a",
    tagged: true,
    lang: language,
    displayTitle: true,
    info: {
      Title: title,
      Author: author,
      Creator: "Purser",
      Producer: "Purser",
      CreationDate: at,
    },
  });
  escapeMetadata(doc);
  const { regular, bold } = openTypeface();
  return doc.registerFont("regular", regular).registerFont("bold", bold);
};

/** Draws on A4 pages in points from the top left corner. Everything is part of the structure or decoration. */
export const openCanvas = (about: About) => {
  const doc = openDocument(about);
  const root = doc.struct("Document");
  doc.addStructure(root);

  const use = ({ size, bold }: Style) => doc.font(bold ? "bold" : "regular").fontSize(size);
  const widthOf = (text: string, style: Style) => use(style).widthOfString(printable(text));

  const mark = (tag: Tag | null, draw: () => void) => {
    if (!tag) {
      doc.markContent("Artifact", { type: "Layout" });
      draw();
      doc.endMarkedContent();
      return;
    }
    const { parent, type, ...options } = tag;
    const content = doc.markStructureContent(type);
    draw();
    doc.endMarkedContent();
    parent.add(doc.struct(type, options, [content]));
  };

  return {
    doc,
    root,
    mark,
    widthOf,
    /** The lines of a text in a width. */
    wrap: (text: string, style: Style, width: number) => {
      use(style);
      return text
        .split(/\r?\n/)
        .flatMap((line) => wrapText(printable(line), width, (part) => doc.widthOfString(part)));
    },
    /** Without a tag the text is decoration, such as a repeated head. */
    text: ({ lines, x, y, style, align = "left" }: Block, tag: Tag | null) =>
      mark(tag, () => {
        use(style).fillColor(style.color);
        for (const [place, line] of lines.map(printable).entries()) {
          const start = align === "left" ? x : x - doc.widthOfString(line);
          doc.text(line, start, y + place * style.leading, {
            lineBreak: false,
            baseline: "alphabetic",
          });
        }
      }),
    /** A part of the structure without own content, such as a table. */
    group: (type: string, parent = root) => {
      const element = doc.struct(type);
      parent.add(element);
      return element;
    },
    rule: (y: number, from = page.left, to = page.right, color: string = colors.hairline) =>
      mark(null, () => doc.moveTo(from, y).lineTo(to, y).lineWidth(0.6).stroke(color)),
  };
};
export type Canvas = ReturnType<typeof openCanvas>;

/** The bytes of the finished document. */
export const closeCanvas = ({ doc }: Canvas) =>
  new Promise<Buffer>((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    doc.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    doc.on("end", () => resolve(Buffer.concat(chunks)));
    doc.on("error", reject);
    doc.end();
  });
