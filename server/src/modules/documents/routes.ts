import { documentContent } from "@purser/contract/documents/content";
import {
  getDocumentFile,
  issueDocuments,
  listCustomerDocuments,
  listTransactionDocuments,
  sendDocument,
} from "@purser/contract/documents/endpoints";
import type { Message } from "@purser/contract/messages/message";
import type { FastifyInstance } from "fastify";
import { readRecord } from "#modules/entitlements/customerQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, Problem } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveDocument } from "#platform/lists/export.ts";
import { message } from "#platform/messages.ts";
import { zoneOf } from "#platform/settings.ts";
import { issueDocumentsOf } from "./issue.ts";
import type { SendDocument } from "./jobs.ts";
import { renderPdf } from "./pdf/renderPdf.ts";
import {
  findContent,
  findDocument,
  findDocumented,
  findOfCustomer,
  findOfTransaction,
  findWaiting,
} from "./queries.ts";

const readOfTransaction = async (db: Db, id: string) => {
  const waiting = await findWaiting(db, id);
  return {
    items: await findOfTransaction(db, id),
    isWaiting: waiting !== undefined && waiting.problem === null,
    problem: (waiting?.problem ?? null) as Message | null,
  };
};

const readContent = async (db: Db, id: string) => existing(await findContent(db, id), "document");

export const documentRoutes = (app: FastifyInstance, send: SendDocument) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, listCustomerDocuments, async ({ db, params: { id }, session }) => {
    await readRecord(db, id, session);
    return { items: await findOfCustomer(db, id) };
  });

  serve(app, listTransactionDocuments, async ({ db, params: { id } }) => {
    existing(await findDocumented(db, id), "transaction");
    return readOfTransaction(db, id);
  });

  serve(app, issueDocuments, async ({ db, params: { id }, now }) => {
    const about = existing(await findDocumented(db, id), "transaction");
    if (about.settledAt === null)
      throw new Problem(
        "wrong_state",
        message("document_not_paid", "Documents are issued when a transaction is settled."),
      );
    if (about.isImported)
      throw new Problem(
        "wrong_state",
        message(
          "document_imported",
          "Imported transactions get no documents. The system that recorded them has issued them.",
        ),
      );
    const { problem } = await issueDocumentsOf(db, id, { now, zone: await findZone(db) });
    if (problem) throw new Problem("wrong_state", problem);
    return readOfTransaction(db, id);
  });

  serveDocument(app, getDocumentFile, "document", async ({ db, params: { id } }) => {
    const { number, content } = await readContent(db, id);
    return { name: number, text: await renderPdf(documentContent.parse(content)) };
  });

  serve(app, sendDocument, async ({ db, params: { id }, enqueue }) => {
    const { buyer } = documentContent.parse((await readContent(db, id)).content);
    if (!buyer?.email)
      throw new Problem(
        "wrong_state",
        message("document_without_email", "This document has no email address of a buyer."),
      );
    await enqueue(send, { id });
    return existing(await findDocument(db, id), "document");
  });
};
