import type { DocumentContent, TaxSummary } from "@purser/contract/documents/content";
import { message } from "#platform/messages.ts";
import type { Formats } from "./formats.ts";

export type Note = { heading: string; paragraphs: string[] };

/** Members of the European Union, whose directive on VAT has the sentence about reverse charge. */
const union = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

const isWithinUnion = ({ seller, buyer }: DocumentContent, { country }: TaxSummary) => {
  const other = buyer?.country ?? country;
  return (
    other !== null && other !== seller.country && union.has(seller.country) && union.has(other)
  );
};

const exemptionOf = (content: DocumentContent, summary: TaxSummary, { isVat }: Formats) => {
  if (summary.taxCategory === "AE")
    return isWithinUnion(content, summary)
      ? message(
          "document_reverse_charge_union",
          "Reverse charge. The customer is liable for VAT under Article 196 of Council Directive 2006/112/EC.",
        )
      : message("document_reverse_charge", "Reverse charge. The customer is liable for VAT.");
  if (summary.taxCategory === "E")
    return isVat
      ? message("document_vat_exempt", "This supply is exempt from VAT.")
      : message("document_tax_exempt", "This supply is exempt from tax.");
  return isVat
    ? message("document_outside_vat", "This supply is outside the scope of VAT.")
    : message("document_outside_tax", "This supply isn't subject to tax.");
};

const needsReason = new Set(["E", "AE", "O"]);

const exemptionsOf = (content: DocumentContent, formats: Formats) =>
  content.taxes
    .filter(({ taxCategory }) => needsReason.has(taxCategory))
    .map(
      (summary) => summary.exemptionReason ?? formats.say(exemptionOf(content, summary, formats)),
    );

const generalOf = (content: DocumentContent, { say, isVat }: Formats) => {
  const { kind, taxIncluded, totals, lines, timeZone } = content;
  return [
    ...(kind === "invoice" && taxIncluded && totals.tax > 0
      ? [
          isVat
            ? say(message("document_prices_with_vat", "Prices include VAT."))
            : say(message("document_prices_with_tax", "Prices include tax.")),
        ]
      : []),
    ...(lines.some(({ period }) => period !== null)
      ? [say(message("document_time_zone", "Times are in the time zone {timeZone}.", { timeZone }))]
      : []),
  ];
};

const correctionOf = ({ corrects, reason }: DocumentContent, { say, date }: Formats): Note[] => {
  if (corrects === null) return [];
  const sentence = message(
    "document_corrects_sentence",
    "This credit note corrects invoice {number} of {date}.",
    { number: corrects.number, date: date(corrects.issuedAt) },
  );
  return [
    {
      heading: say(message("document_reason", "Reason")),
      paragraphs: [...(reason === null ? [] : [reason]), say(sentence)],
    },
  ];
};

/** How to pay what is due. Null if nothing is, or if the seller has no bank account. */
export const transferOf = (content: DocumentContent, { say, money, day }: Formats): Note | null => {
  const { kind, due, dueDate, number, seller } = content;
  const { bank } = seller;
  if (kind !== "invoice" || due === 0 || bank === null || dueDate === null) return null;
  const sentence = message(
    "document_transfer",
    "Transfer {amount} by {date}. Use {number} as the payment reference.",
    { amount: money(due), date: day(dueDate), number },
  );
  const account = [
    seller.name,
    ...(bank.name === null ? [] : [bank.name]),
    `IBAN\u00a0${bank.iban.replace(/(.{4})(?=.)/g, "$1\u00a0")}`,
    ...(bank.bic === null ? [] : [`BIC\u00a0${bank.bic}`]),
  ];
  return {
    heading: say(message("document_payment_details", "Payment details")),
    paragraphs: [say(sentence), account.join("\n")],
  };
};

/** What is printed below the totals. */
export const notesOf = (content: DocumentContent, formats: Formats): Note[] => {
  const paragraphs = [
    ...exemptionsOf(content, formats),
    ...content.notes,
    ...generalOf(content, formats),
  ];
  return [
    ...correctionOf(content, formats),
    ...(paragraphs.length === 0
      ? []
      : [{ heading: formats.say(message("document_notes", "Notes")), paragraphs }]),
  ];
};
