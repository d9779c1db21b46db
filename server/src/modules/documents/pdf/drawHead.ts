import type { DocumentContent, Logo } from "@purser/contract/documents/content";
import type { Canvas } from "./canvas.ts";
import type { Formats } from "./formats.ts";
import { type Fact, factsOf, type Party, partiesOf, statusOf, titleOf } from "./headTexts.ts";
import { colors, contentWidth, page, type Style, scaled, styles } from "./measures.ts";

/** Paths of Tabler Icons, 24 × 24. */
const icons = {
  check: "M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M9 12l2 2l4 -4",
  return: "M9 14l-4 -4l4 -4M5 10h11a4 4 0 1 1 0 8h-1",
  clock: "M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 7v5l3 3",
};

const logoHeight = 26;
const logoWidthMax = 150;

/** A PNG file has its size in the header. */
const sizeOf = (logo: Logo) => {
  if (logo.type === "svg") return logo;
  const header = Buffer.from(logo.data, "base64");
  return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
};

/** The width that the logo takes. */
const drawLogo = ({ doc, mark, root }: Canvas, logo: Logo, alt: string) => {
  const { width, height } = sizeOf(logo);
  const scale = Math.min(logoHeight / height, logoWidthMax / width);
  mark({ parent: root, type: "Figure", alt }, () => {
    if (logo.type === "png") {
      const fit: [number, number] = [width * scale, height * scale];
      doc.image(Buffer.from(logo.data, "base64"), page.left, page.top, { fit });
      return;
    }
    doc.save().translate(page.left, page.top).scale(scale);
    for (const { d, fill } of logo.paths) doc.path(d).fill(fill, "even-odd");
    doc.restore();
  });
  return width * scale;
};

const drawSeller = (canvas: Canvas, { seller }: DocumentContent) => {
  const { name, tradingName, logo } = seller;
  const taken = logo ? drawLogo(canvas, logo, tradingName ?? name) + 8 : 0;
  const shown = tradingName ?? (logo ? null : name);
  if (shown === null) return page.top + logoHeight;
  const lines = canvas.wrap(shown, styles.seller, contentWidth * 0.6 - taken);
  const y = page.top + 17.5;
  const block = { lines, x: page.left + taken, y, style: styles.seller };
  canvas.text(block, { parent: canvas.root, type: "P" });
  return y + lines.length * styles.seller.leading;
};

const drawStatus = (canvas: Canvas, content: DocumentContent, formats: Formats, top: number) => {
  const status = statusOf(content, formats);
  if (!status) return top;
  const { doc, mark, root } = canvas;
  const width = canvas.widthOf(status.text, styles.strong) + 26;
  const x = page.right - width;
  mark(null, () => {
    doc.lineWidth(0.75).roundedRect(x, top, width, 16, 2);
    doc.fillAndStroke(colors[status.tone].fill, colors[status.tone].edge);
    doc
      .save()
      .translate(x + 5, top + 2.75)
      .scale(10.5 / 24);
    doc.lineWidth(1.75).lineCap("round").lineJoin("round");
    doc.path(icons[status.icon]).stroke(colors.secondary).restore();
  });
  const block = { lines: [status.text], x: x + 19, y: top + 11.4, style: styles.strong };
  canvas.text(block, { parent: root, type: "P" });
  return top + 16;
};

const drawTitle = (canvas: Canvas, content: DocumentContent, formats: Formats) => {
  const { root } = canvas;
  const right = { x: page.right, align: "right" } as const;
  const title = { ...right, lines: [titleOf(content, formats)], y: 65, style: styles.title };
  canvas.text(title, { parent: root, type: "H1" });
  const lines = canvas.wrap(content.number, styles.number, contentWidth * 0.4);
  canvas.text({ ...right, lines, y: 80, style: styles.number }, { parent: root, type: "P" });
  const below = 80 + (lines.length - 1) * styles.number.leading;
  return drawStatus(canvas, content, formats, below + 8.5);
};

const partyWidth = 150;

type PartyText = { text: string; style: Style; type: "H2" | "P" };

const textsOf = ({ heading, name, lines }: Party, scale: number): PartyText[] => [
  { text: heading, style: styles.small, type: "H2" },
  ...(name === "" ? [] : [{ text: name, style: scaled(styles.strong, scale), type: "P" as const }]),
  ...lines.map((text) => ({ text, style: scaled(styles.body, scale), type: "P" as const })),
];

const heightOf = (canvas: Canvas, texts: readonly PartyText[]) =>
  texts.reduce(
    (sum, { text, style }) => sum + canvas.wrap(text, style, partyWidth).length * style.leading,
    0,
  );

const drawParty = (canvas: Canvas, texts: readonly PartyText[], x: number, top: number) => {
  const section = canvas.group("Sect");
  let y = top;
  for (const { text, style, type } of texts) {
    const lines = canvas.wrap(text, style, partyWidth);
    canvas.text({ lines, x, y, style }, { parent: section, type });
    y += lines.length * style.leading + (type === "H2" ? 2.5 : 0);
  }
  return y;
};

const partyHeightMax = 240;

/** In smaller type if a name or an address is very long. */
const drawParties = (canvas: Canvas, parties: readonly Party[], top: number) => {
  const texts = [1, 0.85, 0.7]
    .map((scale) => parties.map((party) => textsOf(party, scale)))
    .reduce((chosen, smaller) =>
      chosen.some((party) => heightOf(canvas, party) > partyHeightMax) ? smaller : chosen,
    );
  return texts.map((party, place) => drawParty(canvas, party, page.left + place * 163, top));
};

const factsLeft = page.left + 326;

const drawFact = (
  canvas: Canvas,
  [label, value]: Fact,
  table: PDFKit.PDFStructureElement,
  y: number,
) => {
  const width = page.right - factsLeft;
  const labels = canvas.wrap(label, styles.label, width * 0.6);
  const taken = Math.max(...labels.map((line) => canvas.widthOf(line, styles.label)));
  const values = canvas.wrap(value, styles.body, width - taken - 10);
  const row = canvas.group("TR", table);
  canvas.text(
    { lines: labels, x: factsLeft, y, style: styles.label },
    { parent: row, type: "TH", scope: "Row" },
  );
  canvas.text(
    { lines: values, x: page.right, y, style: styles.body, align: "right" },
    { parent: row, type: "TD" },
  );
  const last = y + (Math.max(labels.length, values.length) - 1) * styles.body.leading;
  canvas.rule(last + 6, factsLeft);
  return last + 19.5;
};

/** Title, parties and dates. Returns where the rest begins. */
export const drawHead = (canvas: Canvas, content: DocumentContent, formats: Formats) => {
  const below = Math.max(drawSeller(canvas, content), drawTitle(canvas, content, formats));
  const top = Math.max(below + 36, 141);
  const ends = drawParties(canvas, partiesOf(content, formats), top);
  const table = canvas.group("Table");
  const factsEnd = factsOf(content, formats).reduce(
    (y, fact) => drawFact(canvas, fact, table, y),
    top + 3.5,
  );
  return Math.max(...ends, factsEnd) + 14;
};

/** On every page after the first one, so that a loose page is recognized. */
export const drawShortHead = (canvas: Canvas, content: DocumentContent, formats: Formats) => {
  const y = page.top + 6;
  const { name } = content.seller;
  const [seller = ""] = canvas.wrap(name, styles.small, contentWidth * 0.5);
  const title = `${titleOf(content, formats)} ${content.number}`;
  canvas.text({ lines: [seller], x: page.left, y, style: styles.small }, null);
  canvas.text({ lines: [title], x: page.right, y, style: styles.small, align: "right" }, null);
  canvas.rule(y + 8);
  return y + 28;
};
