import type { Address, DocumentContent } from "@purser/contract/documents/content";
import { message } from "#platform/messages.ts";
import type { Formats } from "./formats.ts";

export type Status = { icon: "check" | "return" | "clock"; tone: "done" | "open"; text: string };
export type Party = { heading: string; name: string; lines: string[] };
export type Fact = readonly [label: string, value: string];

export const titleOf = ({ kind }: DocumentContent, { say }: Formats) =>
  kind === "invoice"
    ? say(message("document_invoice", "Invoice"))
    : say(message("document_credit_note", "Credit note"));

/** Whether it was paid when it was issued. Null if there is nothing to say. */
export const statusOf = (content: DocumentContent, { say }: Formats): Status | null => {
  const { kind, due, payments, totals } = content;
  if (totals.gross === 0) return null;
  if (kind === "invoice")
    return due === 0
      ? { icon: "check", tone: "done", text: say(message("document_paid", "Paid")) }
      : { icon: "clock", tone: "open", text: say(message("document_payment_due", "Payment due")) };
  if (due > 0) return null;
  return payments.every(({ method }) => method === "balance")
    ? { icon: "check", tone: "done", text: say(message("document_credited", "Credited")) }
    : { icon: "return", tone: "done", text: say(message("document_refunded", "Refunded")) };
};

/** "1000 AA Amsterdam", or "Springfield, IL 62704" where the region is part of the line. */
const placeOf = ({ postalCode, city, region, country }: Address) => {
  if (country === "US" || country === "CA" || country === "AU") {
    const area = [region, postalCode].filter((part) => part !== null).join(" ");
    return [[city, area].filter((part) => part !== null && part !== "").join(", ")];
  }
  return [[postalCode, city].filter((part) => part !== null).join(" "), region ?? ""];
};

const addressOf = (address: Address, { country }: Formats) =>
  [
    ...address.lines,
    ...placeOf(address),
    address.country === null ? "" : country(address.country),
  ].filter((line) => line !== "");

const vatNumberOf = (number: string | null, { say }: Formats) =>
  number === null ? [] : [say(message("document_vat_number", "VAT no. {number}", { number }))];

const buyerOf = ({ buyer }: DocumentContent, formats: Formats): Party => {
  const heading = formats.say(message("document_bill_to", "Bill to"));
  if (buyer === null) {
    const removed = message("document_buyer_removed", "Removed after the retention period");
    return { heading, name: "", lines: [formats.say(removed)] };
  }
  const { name, company, vatNumber, email } = buyer;
  return {
    heading,
    name: company ?? name,
    lines: [
      ...(company === null ? [] : [name]),
      ...addressOf(buyer, formats),
      ...vatNumberOf(vatNumber, formats),
      ...(email === null ? [] : [email]),
    ],
  };
};

const sellerOf = ({ seller }: DocumentContent, formats: Formats): Party => ({
  heading: formats.say(message("document_from", "From")),
  name: seller.name,
  lines: [...addressOf(seller, formats), ...vatNumberOf(seller.vatNumber, formats)],
});

export const partiesOf = (content: DocumentContent, formats: Formats) => [
  buyerOf(content, formats),
  sellerOf(content, formats),
];

/** When everything was paid or refunded, which is with the last payment. */
const settledFacts = ({ kind, payments, due }: DocumentContent, { say, date }: Formats): Fact[] => {
  const last = payments.at(-1);
  if (!last || due > 0) return [];
  return [
    kind === "invoice"
      ? [say(message("document_paid_on", "Paid on")), date(last.at)]
      : [say(message("document_refunded_on", "Refunded on")), date(last.at)],
  ];
};

const referenceFacts = (
  { reference, buyerReference, buyer }: DocumentContent,
  { say }: Formats,
): Fact[] => [
  ...(buyer?.number
    ? [[say(message("document_customer", "Customer")), buyer.number] as const]
    : []),
  ...(reference ? [[say(message("document_reference", "Reference")), reference] as const] : []),
  ...(buyerReference
    ? [[say(message("document_buyer_reference", "Your reference")), buyerReference] as const]
    : []),
];

export const factsOf = (content: DocumentContent, formats: Formats): Fact[] => {
  const { issuedAt, suppliedAt, corrects, dueDate, due } = content;
  const { say, date, day } = formats;
  return [
    [say(message("document_issue_date", "Issue date")), date(issuedAt)],
    ...(corrects
      ? [
          [say(message("document_corrects", "Corrects invoice")), corrects.number] as const,
          [say(message("document_invoice_date", "Invoice date")), date(corrects.issuedAt)] as const,
        ]
      : []),
    ...(suppliedAt
      ? [[say(message("document_supply_date", "Supply date")), date(suppliedAt)] as const]
      : []),
    ...(dueDate && due > 0
      ? [[say(message("document_due_date", "Due date")), day(dueDate)] as const]
      : []),
    ...settledFacts(content, formats),
    ...referenceFacts(content, formats),
  ];
};

/** The columns at the foot of each page. The last one also has the page. */
export const footerOf = (content: DocumentContent, formats: Formats) => {
  const { seller, number } = content;
  const { registrationNumber } = seller;
  return [
    [seller.name, addressOf(seller, formats).join(", ")],
    [
      ...(registrationNumber === null
        ? []
        : [
            formats.say(
              message("document_registration_number", "Registration no. {number}", {
                number: registrationNumber,
              }),
            ),
          ]),
      ...vatNumberOf(seller.vatNumber, formats),
    ],
    [seller.email, seller.website].filter((line) => line !== null),
    [number],
  ];
};

export const pageOf = (page: number, pages: number, { say, count }: Formats) =>
  say(
    message("document_page", "Page {page} of {pages}", { page: count(page), pages: count(pages) }),
  );
