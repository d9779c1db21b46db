import { documentContent } from "@purser/contract/documents/content";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Enqueue, type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { writeEmail } from "#platform/mail/writeEmail.ts";
import { message } from "#platform/messages.ts";
import { addYears } from "#platform/periods.ts";
import type { FindZone } from "#platform/settings.ts";
import { issueDocumentsOf } from "./issue.ts";
import { renderPdf } from "./pdf/renderPdf.ts";
import {
  findContent,
  findDocumentSettings,
  lockWaiting,
  removeBuyers,
  saveProblem,
  setSent,
} from "./queries.ts";

const payload = z.object({ id: z.uuid() });

const mailTexts = {
  invoice: {
    subject: (number: string) =>
      message("document_email_invoice_subject", "Invoice {number}", { number }),
    lead: message("document_email_invoice", "Your invoice is attached."),
  },
  "credit note": {
    subject: (number: string) =>
      message("document_email_credit_note_subject", "Credit note {number}", { number }),
    lead: message("document_email_credit_note", "Your credit note is attached."),
  },
};

/** Emails a document to its buyer. Does nothing if the buyer was removed. */
export const sendDocumentJob = (mail: Mailer): Job<typeof payload> =>
  job({
    name: "send-document",
    isPatient: true,
    payload,
    run: async ({ db, now }, { id }) => {
      const content = documentContent.parse((await findContent(db, id))?.content);
      const { buyer, seller, kind, number, language } = content;
      if (!buyer?.email) return;
      const { subject, lead } = mailTexts[kind];
      const paragraphs = [
        message("email_greeting", "Hi {name},", { name: buyer.name }),
        lead,
        seller.name,
      ];
      const attachment = { filename: `${number}.pdf`, content: await renderPdf(content) };
      await mail.send({
        to: buyer.email,
        ...writeEmail(
          { language, timeZone: content.timeZone },
          { subject: subject(number), paragraphs },
        ),
        attachments: [attachment],
      });
      await setSent(db, id, now);
    },
  });
export type SendDocument = ReturnType<typeof sendDocumentJob>;

const perRun = 500;

/**
 * Issues the documents of settled transactions, each in a short transaction of its own, because others that need a
 * number of the same series wait for it.
 */
export const issueWaitingDocuments = (send: SendDocument, findZone: FindZone) =>
  job({
    name: "issue-documents",
    payload: z.object({}),
    every: "* * * * *",
    inSteps: true,
    run: async ({ now, step }) => {
      const issueNext = async (db: Db, enqueue: Enqueue) => {
        const waiting = await lockWaiting(db);
        if (!waiting) return false;
        const zone = await findZone(db);
        const { ids, problem } = await issueDocumentsOf(db, waiting.id, { now, zone });
        if (problem) await saveProblem(db, waiting.id, problem);
        if ((await findDocumentSettings(db)).sendsDocuments)
          for (const id of ids) await enqueue(send, { id });
        return true;
      };
      for (let issued = 0; issued < perRun; issued++) if (!(await step(issueNext))) return;
    },
  });

const removedPerRun = 1000;

/** Removes the buyers' data from documents after the retention period. */
export const removeOldBuyers = (findZone: FindZone) =>
  job({
    name: "remove-old-buyers",
    payload: z.object({}),
    every: "17 3 * * *",
    inSteps: true,
    run: async ({ now, step }) => {
      const removeNext = () =>
        step(async (db) => {
          const { retentionYears } = await findDocumentSettings(db);
          const before = addYears(now, -retentionYears, await findZone(db));
          return removeBuyers(db, { now, before, limit: removedPerRun });
        });
      while ((await removeNext()) === removedPerRun);
    },
  });
