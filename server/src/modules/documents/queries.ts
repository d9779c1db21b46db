import type { DocumentContent, Seller } from "@purser/contract/documents/content";
import type { IssuedDocument } from "@purser/contract/documents/endpoints";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { SoldLine } from "./buildContent.ts";

const documents = statement(
  "documents.documents",
  `select d.id, d.kind, d.number, jsonb_build_object('id', t.id, 'number', t.number) as transaction,
     c.number as corrects, d.currency, d.total::float8 as total, d.issued_at as "issuedAt", d.sent_at as "sentAt",
     d.buyer_removed_at as "buyerRemovedAt"
   from documents d join transactions t on t.id = d.transaction_id left join documents c on c.id = d.corrects_id`,
).narrow<Pick<IssuedDocument, "kind" | "transaction" | "total"> & { corrects: string | null }>();
const byId = documents.with("where d.id = $1");
const ofCustomer = documents.with(
  "where d.user_id = $1 order by d.issued_at desc, d.kind = 'credit note' desc, d.id desc limit 100",
);
// Credit notes of refunds and changes belong to the invoice that they correct, too.
const ofTransaction = documents.with(
  `where d.id in (
     select id from documents where kind = 'invoice' and transaction_id = $1
     union all select id from documents where kind = 'credit note' and transaction_id = $1
     union all select n.id from documents i join documents n on n.corrects_id = i.id
       where i.kind = 'invoice' and i.transaction_id = $1)
   order by d.issued_at, d.kind = 'credit note', d.id limit 100`,
);

export const findDocument = (db: Db, id: string) => first(db, byId, [id]);
export const findOfCustomer = (db: Db, userId: string) => run(db, ofCustomer, [userId]);
export const findOfTransaction = (db: Db, id: string) => run(db, ofTransaction, [id]);

const contentSql = statement(
  "documents.content",
  'select number, kind, user_id as "userId", content from documents where id = $1',
).narrow<{ content: unknown }>();

export const findContent = (db: Db, id: string) => first(db, contentSql, [id]);

const sellerSql = statement(
  "documents.seller",
  `select seller, invoice_prefix as "invoicePrefix", credit_note_prefix as "creditNotePrefix",
     send_documents as "sendsDocuments", document_retention_years as "retentionYears" from settings`,
).narrow<{ seller: Partial<Seller> }>();

export const findDocumentSettings = async (db: Db) => {
  const row = await first(db, sellerSql);
  if (!row) throw new Error("The settings row is missing.");
  return row;
};

/** Remembers that a settled transaction needs documents, if the company issues them. */
export const requestDocumentsOf = (transactionId: string) => `
  insert into documents_to_issue (transaction_id)
  select ${transactionId} from settings where seller ->> 'name' is not null on conflict do nothing`;

export const requestDocuments = async (db: Db, transactionId: string) => {
  await run(db, requestDocumentsOf("$1"), [transactionId]);
};

const lockWaitingSql = statement(
  "documents.lockWaiting",
  `select transaction_id as id from documents_to_issue where problem is null order by transaction_id limit 1
   for update skip locked`,
);

/** The oldest transaction that waits for its documents. Another worker takes the next one. */
export const lockWaiting = (db: Db) => first(db, lockWaitingSql);

const lockCorrectedSql = statement(
  "documents.lockCorrected",
  `select w.transaction_id as id from documents_to_issue w
   where w.transaction_id <> $1 and w.transaction_id in (
     select l.transaction_id from line_credits c join transaction_lines l on l.id = c.line_id
     where c.transaction_id = $1 and c.state = 'applied')
   order by 1 for update`,
);

/** Transactions that wait for the invoice that a credit note of this one corrects. */
export const lockCorrected = (db: Db, transactionId: string) =>
  run(db, lockCorrectedSql, [transactionId]);

const waitingSql = statement(
  "documents.waiting",
  "select problem from documents_to_issue where transaction_id = $1",
).narrow<{ problem: unknown }>();

export const findWaiting = (db: Db, id: string) => first(db, waitingSql, [id]);

export const stopWaiting = async (db: Db, id: string) => {
  await run(db, "delete from documents_to_issue where transaction_id = $1", [id]);
};

export const saveProblem = async (db: Db, id: string, problem: unknown) => {
  await run(db, "update documents_to_issue set problem = $2::jsonb where transaction_id = $1", [
    id,
    JSON.stringify(problem),
  ]);
};

const documentedSql = statement(
  "documents.documented",
  `select t.id, t.number, t.kind, t.state, t.currency, t.total::float8 as total,
     t.balance_amount::float8 as "balanceAmount", t.tax_included as "isTaxIncluded", t.settled_at as "settledAt",
     -- A payment can be recorded later than it was received.
     coalesce((select min(e.at) from transaction_events e
       where e.transaction_id = t.id and e.type = 'succeeded'), t.settled_at) as "paidAt",
     exists (select from imported_records m where m.record_id = t.id) as "isImported",
     coalesce(t.settled_by, t.provider) as provider, t.reason, u.id as "userId", u.name, u.email, u.company,
     u.address, u.region, u.country, u.vat_number as "vatNumber", u.locale, u.status
   from transactions t join users u on u.id = current_customer(t.user_id) where t.id = $1`,
).narrow<{ total: number; balanceAmount: number; address: unknown; isImported: boolean }>();

/** What the documents of a transaction are made from, with the customer as they are now. */
export const findDocumented = (db: Db, id: string) => first(db, documentedSql, [id]);
export type Documented = NonNullable<Awaited<ReturnType<typeof findDocumented>>>;

const taxColumns = `l.tax_treatment as "taxTreatment", l.tax_basis_points as "taxBasisPoints", l.tax_name as "taxName",
  l.tax_country as "taxCountry"`;

const soldSql = statement(
  "documents.sold",
  `select l.name, l.quantity, l.unit_amount::float8 as "unitAmount", l.period_start as "start", l.period_end as "end",
     l.discount::float8 as discount, l.net::float8 as net, l.tax::float8 as tax, l.gross::float8 as gross, ${taxColumns}
   from transaction_lines l where l.transaction_id = $1 and l.gross > 0 order by l.position`,
).narrow<Pick<SoldLine, "discount" | "net" | "tax" | "gross"> & { unitAmount: number }>();

type Dated = { start: Date | null; end: Date | null };
const withPeriod = <Row extends Dated>({ start, end, ...line }: Row) => ({
  ...line,
  period: start && end ? { start, end } : null,
});

export const findSoldLines = async (db: Db, transactionId: string): Promise<SoldLine[]> =>
  (await run(db, soldSql, [transactionId])).map(withPeriod);

const creditedSql = statement(
  "documents.credited",
  `select d.id as "invoiceId", d.number as "invoiceNumber", d.issued_at as "invoicedAt",
     t.tax_included as "isTaxIncluded", l.name, 1 as quantity, null::float8 as "unitAmount",
     lower(c.unused) as "start", upper(c.unused) as "end", 0 as discount, c.net::float8 as net, c.tax::float8 as tax,
     c.gross::float8 as gross, ${taxColumns}
   from line_credits c join transaction_lines l on l.id = c.line_id join transactions t on t.id = l.transaction_id
   join documents d on d.transaction_id = t.id and d.kind = 'invoice'
   where c.transaction_id = $1 and c.state = 'applied' and c.gross > 0 order by d.issued_at, d.id, l.position, c.id`,
).narrow<
  Pick<SoldLine, "discount" | "net" | "tax" | "gross" | "quantity"> & {
    unitAmount: null;
    invoiceId: string;
    invoiceNumber: string;
    invoicedAt: Date;
    isTaxIncluded: boolean;
    start: Date | null;
    end: Date | null;
  }
>();

/** What a transaction took back of lines that have an invoice. */
export const findCreditedLines = async (db: Db, transactionId: string) =>
  (await run(db, creditedSql, [transactionId])).map(withPeriod);

const nextNumberSql = statement(
  "documents.nextNumber",
  `insert into document_numbers (prefix, year, last) values ($1, $2, 1)
   on conflict (prefix, year) do update set last = document_numbers.last + 1 returning last`,
);

/** The next number of a series. Other documents of the series wait until this one is stored, so there are no gaps. */
export const takeNumber = async (db: Db, prefix: string, year: number) => {
  const row = await first(db, nextNumberSql, [prefix, year]);
  if (!row) throw new Error("The series returned no number.");
  return `${prefix}-${year}-${String(row.last).padStart(6, "0")}`;
};

type New = {
  content: DocumentContent;
  transactionId: string;
  userId: string;
  correctsId: string | null;
};

const insertSql = statement(
  "documents.insert",
  `insert into documents (kind, number, transaction_id, corrects_id, user_id, currency, total, issued_at, content)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) returning id`,
);

export const insertDocument = async (
  db: Db,
  { content, transactionId, userId, correctsId }: New,
) => {
  const { kind, number, currency, totals, issuedAt } = content;
  const row = await first(db, insertSql, [
    kind,
    number,
    transactionId,
    correctsId,
    userId,
    currency,
    totals.gross,
    issuedAt,
    JSON.stringify(content),
  ]);
  if (!row) throw new Error("The document was not stored.");
  return row.id;
};

export const setSent = async (db: Db, id: string, now: Date) => {
  await run(db, "update documents set sent_at = $2 where id = $1", [id, now]);
};

const removeBuyersSql = statement(
  "documents.removeBuyers",
  `update documents set content = content || '{"buyer": null}', buyer_removed_at = $1
   where id in (select id from documents where buyer_removed_at is null and issued_at < $2
     order by issued_at limit $3) returning id`,
);

/** Removes the buyers of documents whose retention period is over. */
export const removeBuyers = async (
  db: Db,
  { now, before, limit }: { now: Date; before: Date; limit: number },
) => (await run(db, removeBuyersSql, [now, before, limit])).length;
