import { plain } from "@purser/contract/fields/text";
import { countTransactions } from "@purser/contract/transactions/counts";
import {
  changeTransaction,
  exportTransactions,
  getTransaction,
  getTransactionActivity,
  listTransactions,
  previewBulkTransactions,
  startBulkTransactions,
  startTransactionsExport,
  sumTransactions,
  tagTransaction,
} from "@purser/contract/transactions/endpoints";
import { type Transaction, transactionReply } from "@purser/contract/transactions/fields";
import type { FastifyInstance } from "fastify";
import { findActivity } from "#platform/audit/activity.ts";
import { refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport } from "#platform/lists/export.ts";
import type { AnyList } from "#platform/lists/jobs/sources.ts";
import { serveBulkJobs, serveExportJob } from "#platform/lists/jobs/start.ts";
import { restOf, restOfAll } from "../billing/credits.ts";
import {
  findCredits,
  findCustomerFacts,
  findGranted,
  findImportId,
  findReconciliation,
  findReferences,
} from "./detailQueries.ts";
import { findEvents } from "./events/eventQueries.ts";
import { findLines } from "./lines/lineQueries.ts";
import {
  countWaiting,
  findRefunds,
  findSnapshot,
  findTransactions,
  readLocked,
  readTransaction,
  setNoteAndTags,
  sumOfTransactions,
  transactionFile,
} from "./queries.ts";
import { unusedOf } from "./refunds/planRefund.ts";
import { findCash } from "./refunds/refundQueries.ts";
import { isSale, refusalToRefund, refusalToTag } from "./rules.ts";

const file = {
  name: "transactions" as const,
  list: transactionFile,
  row: transactionReply.extend({ user: plain, package: plain.nullable() }),
  isMinus: (one: Pick<Transaction, "kind">) => !isSale(one),
};

export const transactionRoutes = (app: FastifyInstance) => {
  serve(app, listTransactions, ({ db, query, paging }) => findTransactions(db, query, paging));

  serve(app, sumTransactions, ({ db, query, paging }) => sumOfTransactions(db, query, paging));

  serve(app, countTransactions, ({ db }) => countWaiting(db));

  serveExport(app, exportTransactions, file);
  serveExportJob(app, startTransactionsExport, file);

  serveBulkJobs(app, "transactions", {
    start: startBulkTransactions,
    preview: previewBulkTransactions,
    listOf: () => transactionFile as unknown as AnyList,
    name: "r.number",
    actions: {
      tag: {
        endpoint: tagTransaction,
        undo: "untag",
        given: ["tag"],
        remembers: { note: "r.note", tags: "r.tags" },
        unchanged: ["transaction_tagged"],
      },
      untag: { endpoint: changeTransaction, undo: null, unchanged: [] },
    },
    rules: {
      state: { tags: "to_jsonb(r.tags)" },
      refusalOf: (state: Pick<Transaction, "tags">, _, { given }) =>
        refusalToTag(state, String(given["tag"])),
    },
  });

  serve(app, getTransaction, async ({ db, params: { id }, now }) => {
    const sale = await readTransaction(db, id);
    const lines = await findLines(db, id);
    const refundable = refusalToRefund(sale) ? 0 : restOfAll(lines);
    return {
      ...sale,
      lines: lines.map((line) => ({
        ...line,
        package: line.packageId === null ? null : { id: line.packageId, name: line.name },
        periodStart: line.period?.start ?? null,
        periodEnd: line.period?.end ?? null,
        refundable: refundable === 0 ? 0 : restOf(line),
        unused: refundable === 0 ? 0 : unusedOf(line, now),
      })),
      credits: await findCredits(db, id),
      references: await findReferences(db, id),
      importId: await findImportId(db, id),
      snapshot: await findSnapshot(db, id),
      events: await findEvents(db, id),
      refunds: await findRefunds(db, id),
      grants: await findGranted(db, id, now),
      refundable,
      refundableCash: Math.min(refundable, await findCash(db, id)),
      reconciliation: await findReconciliation(db, id),
      customer: await findCustomerFacts(db, sale.user.id),
    };
  });

  serve(app, changeTransaction, async ({ db, params: { id }, body, assertVersion }) => {
    assertVersion(await readLocked(db, id), transactionReply);
    await setNoteAndTags(db, id, body);
    return readTransaction(db, id);
  });

  serve(app, tagTransaction, async ({ db, params: { id }, body: { tag }, assertVersion }) => {
    const { note, tags } = assertVersion(await readLocked(db, id), transactionReply);
    refuse(refusalToTag({ tags }, tag));
    await setNoteAndTags(db, id, { note, tags: [...tags, tag] });
    return readTransaction(db, id);
  });

  serve(app, getTransactionActivity, async ({ db, params: { id }, query: { after }, session }) => {
    const records = [{ entity: "transactions", id }];
    const activity = await findActivity(db, { records, after }, session);
    if (activity.items.length === 0) await readTransaction(db, id);
    return activity;
  });
};
