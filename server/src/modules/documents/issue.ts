import { type Payment, type Seller, sellerDetails } from "@purser/contract/documents/content";
import type { Message } from "@purser/contract/messages/message";
import { languages } from "@purser/contract/workspace/preferences";
import { z } from "zod";
import { totalOf } from "#modules/billing/credits.ts";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import { buildContent, type SoldLine } from "./buildContent.ts";
import {
  type Documented,
  findCreditedLines,
  findDocumented,
  findDocumentSettings,
  findOfTransaction,
  findSoldLines,
  insertDocument,
  lockCorrected,
  stopWaiting,
  takeNumber,
} from "./queries.ts";
import { differenceIn } from "./rules.ts";

const noSeller = message(
  "document_without_seller",
  "Documents need your company's name and country. Enter them in the settings.",
);

const noVatNumber = message(
  "document_without_vat_number",
  "Reverse charge needs the VAT numbers of both companies. Enter yours in the settings and the customer's on their page.",
);

const contradicting = (path: string) =>
  message("document_amounts_differ", "The amounts of this transaction don't add up ({path}).", {
    path,
  });

const readSeller = (stored: Partial<Seller>) => {
  const empty = {
    lines: [],
    postalCode: null,
    city: null,
    region: null,
    tradingName: null,
    vatNumber: null,
    registrationNumber: null,
    email: null,
    website: null,
    bank: null,
  };
  return sellerDetails.safeParse({ ...empty, ...stored }).data ?? null;
};

const storedAddress = z
  .object({
    lines: z.array(z.string()).default([]),
    postalCode: z.string().nullable().default(null),
    city: z.string().nullable().default(null),
  })
  .catch({ lines: [], postalCode: null, city: null });

const buyerOf = ({ name, email, company, address, region, country, vatNumber }: Documented) => ({
  ...storedAddress.parse(address ?? {}),
  region,
  number: null,
  name: name || email,
  company,
  country,
  vatNumber,
  email,
});

/** The language of the customer, or else the one of a company in the same country. */
const languageOf = ({ locale }: Documented) =>
  languages.find((language) => language === locale) ??
  languages.find((language) => locale?.split("-")[0] === language.split("-")[0]) ??
  "en-GB";

const yearIn = (zone: string, at: Date) =>
  Number(new Intl.DateTimeFormat("en-GB", { timeZone: zone, year: "numeric" }).format(at));

/** What was paid, or refunded: from the balance and in another way. */
const paymentsOf = (
  { provider, paidAt }: Documented,
  { total, fromBalance }: { total: number; fromBalance: number },
  now: Date,
): Payment[] => {
  const at = paidAt ?? now;
  const name = provider === "manual" ? null : provider;
  return [
    { method: "balance", name: null, at, amount: fromBalance },
    { method: "other", name, at, amount: total - fromBalance },
  ];
};

type Planned = {
  kind: "invoice" | "credit note";
  lines: SoldLine[];
  isTaxIncluded: boolean;
  corrects: { id: string; number: string; issuedAt: Date } | null;
  /** The part that was paid from the balance, or went to it. */
  fromBalance: number;
};

/** A credit note for each invoice of which the transaction takes something back. */
const planCreditNotes = async (db: Db, about: Documented): Promise<Planned[]> => {
  const byInvoice = new Map<string, Awaited<ReturnType<typeof findCreditedLines>>>();
  for (const line of await findCreditedLines(db, about.id))
    byInvoice.set(line.invoiceId, [...(byInvoice.get(line.invoiceId) ?? []), line]);
  const isRefund = about.kind === "refund";
  return [...byInvoice.values()].flatMap((lines) => {
    const [first] = lines;
    if (!first) return [];
    const total = totalOf(lines);
    // Changes put what they take back on the balance, and the bank takes back cash.
    const fromBalance = isRefund
      ? Math.min(total, about.balanceAmount)
      : about.kind === "chargeback"
        ? 0
        : total;
    return {
      kind: "credit note" as const,
      lines,
      isTaxIncluded: first.isTaxIncluded,
      corrects: { id: first.invoiceId, number: first.invoiceNumber, issuedAt: first.invoicedAt },
      fromBalance,
    };
  });
};

const planDocuments = async (db: Db, about: Documented): Promise<Planned[]> => {
  const creditNotes = await planCreditNotes(db, about);
  if (about.kind === "refund" || about.kind === "chargeback") return creditNotes;
  const lines = await findSoldLines(db, about.id);
  if (lines.length === 0) return creditNotes;
  const { isTaxIncluded, balanceAmount: fromBalance } = about;
  return [{ kind: "invoice", lines, isTaxIncluded, corrects: null, fromBalance }, ...creditNotes];
};

const problemOf = (path: string): Message =>
  path.endsWith("vatNumber") ? noVatNumber : contradicting(path);

type Issued = { ids: string[]; problem: Message | null };

/**
 * Issues the documents of a settled transaction that has none, and returns their IDs, or why they can't be issued.
 * Their numbers are taken last, so that nothing takes a number and fails.
 */
export const issueDocumentsOf = async (
  db: Db,
  transactionId: string,
  { now, zone }: { now: Date; zone: string },
): Promise<Issued> => {
  const about = await findDocumented(db, transactionId);
  const existing = await findOfTransaction(db, transactionId);
  const isDone =
    !about ||
    about.settledAt === null ||
    about.status === "erased" ||
    // The system that it was imported from has issued them.
    about.isImported ||
    existing.some(({ transaction }) => transaction.id === transactionId);
  if (isDone) {
    await stopWaiting(db, transactionId);
    return { ids: [], problem: null };
  }
  const { seller: stored, invoicePrefix, creditNotePrefix } = await findDocumentSettings(db);
  const seller = readSeller(stored);
  if (!seller) return { ids: [], problem: noSeller };
  const ids: string[] = [];
  // A credit note names the invoice that it corrects, so that one comes first.
  for (const corrected of await lockCorrected(db, transactionId)) {
    const issued = await issueDocumentsOf(db, corrected.id, { now, zone });
    ids.push(...issued.ids);
    if (issued.problem) return { ids, problem: issued.problem };
  }
  const planned = (await planDocuments(db, about)).map((plan) => ({
    plan,
    contentWith: (number: string) => {
      const { kind, lines, isTaxIncluded: taxIncluded, corrects, fromBalance } = plan;
      return buildContent({
        kind,
        number,
        issuedAt: now,
        suppliedAt: about.paidAt,
        language: languageOf(about),
        timeZone: zone,
        currency: about.currency,
        reference: about.number,
        seller,
        buyer: buyerOf(about),
        corrects: corrects && { number: corrects.number, issuedAt: corrects.issuedAt },
        reason: kind === "credit note" ? about.reason : null,
        taxIncluded,
        lines,
        payments: paymentsOf(about, { total: totalOf(lines), fromBalance }, now),
      });
    },
  }));
  const difference = planned.map(({ contentWith }) => differenceIn(contentWith("–"))).find(Boolean);
  if (difference) return { ids, problem: problemOf(difference.path) };
  const year = yearIn(zone, now);
  for (const { plan, contentWith } of planned) {
    const prefix = plan.kind === "invoice" ? invoicePrefix : creditNotePrefix;
    const content = contentWith(await takeNumber(db, prefix, year));
    const { userId } = about;
    ids.push(
      await insertDocument(db, {
        content,
        transactionId,
        userId,
        correctsId: plan.corrects?.id ?? null,
      }),
    );
  }
  await stopWaiting(db, transactionId);
  return { ids, problem: null };
};
