import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { LineCredit } from "#modules/ledger/testing/books.testing.ts";
import { grossOf, sumOf } from "#modules/ledger/testing/books.testing.ts";
import type { Step } from "#modules/ledger/testing/engine.testing.ts";
import type { Run } from "#modules/ledger/testing/reports.testing.ts";

type Row = Record<string, unknown>;

/** The transaction that a step's credits belong to. Steps without credits have none. */
const sourceOf = ({ fact }: Step) => {
  if (fact.fact === "payment" || fact.fact === "withdrawal") return fact.transaction;
  return "id" in fact ? fact.id : null;
};

/** The credits of each step, which are added in the order of the steps. */
const creditsBySource = ({ engine: { books, steps } }: Run) => {
  const found: { credit: LineCredit; source: string }[] = [];
  for (const step of steps) {
    const source = sourceOf(step);
    const own = books.credits.slice(found.length, found.length + step.outcome.credits.length);
    found.push(...own.map((credit) => ({ credit, source: source ?? "" })));
  }
  return found;
};

type IdOf = (name: string) => string;

const saleRows = ({ engine: { books } }: Run, idOf: IdOf) => {
  const sales = [...books.transactions.values()];
  const transactions = sales.map(({ fact, state, lines }): Row => {
    const [net, tax] = [sumOf(lines, (line) => line.net), sumOf(lines, (line) => line.tax)];
    return {
      id: idOf(fact.id),
      kind: fact.kind,
      state: state === "paid" ? "succeeded" : "pending",
      user_id: idOf(`customer ${fact.customer}`),
      currency: fact.currency,
      subtotal: net,
      tax,
      total: net + tax,
      provider: "stripe",
      occurred_at: fact.at,
      settled_at: state === "paid" ? fact.at : null,
      is_split: true,
    };
  });
  const lines = sales.flatMap(({ fact, lines: own }) =>
    own.map(
      (line, position): Row => ({
        id: idOf(`line ${line.id}`),
        transaction_id: idOf(fact.id),
        position,
        name: line.id,
        unit_amount: line.net,
        subtotal: line.net,
        net: line.net,
        tax: line.tax,
        gross: grossOf(line),
        tax_treatment: line.item.tax.taxTreatment,
        tax_country: line.item.tax.taxCountry,
        tax_region: line.item.tax.taxRegion,
        tax_basis_points: line.item.tax.taxBasisPoints,
      }),
    ),
  );
  return { transactions, transaction_lines: lines };
};

const creditRows = (run: Run, idOf: IdOf) => {
  const reasons = new Map(
    run.engine.books.journal
      .filter(({ kind }) => kind === "credit" || kind === "refund" || kind === "chargeback")
      .map(({ kind, source }) => [source, kind === "credit" ? "change" : kind]),
  );
  return creditsBySource(run)
    .filter(({ credit }) => credit.gross > 0)
    .map(
      ({ credit, source }): Row => ({
        line_id: idOf(`line ${credit.line.id}`),
        transaction_id: idOf(source),
        reason: reasons.get(source) ?? "change",
        net: credit.net,
        tax: credit.tax,
        gross: credit.gross,
        state: credit.state,
      }),
    );
};

const journalRows = ({ engine: { books }, history }: Run, idOf: IdOf, betweenMs: number) => {
  const start = +history.world.startsAt;
  const entries = books.journal
    .filter(({ postings }) => postings.length > 0)
    .map((entry, place) => ({
      ...entry,
      id: randomUUID(),
      at: new Date(start + place * betweenMs),
    }));
  return {
    journal_entries: entries.map(({ id, kind, source, at, wallet }): Row => {
      const [customer = "", currency] = wallet.split(" ");
      const user_id = idOf(`customer ${customer}`);
      return { id, kind, source_id: idOf(source), at, currency, user_id };
    }),
    postings: entries.flatMap(({ id, postings }) =>
      postings.map(
        ({ account, amount }, position): Row => ({
          entry_id: id,
          position,
          account,
          amount,
        }),
      ),
    ),
  };
};

/** The rows of a generated history, as the product would have stored them. */
const rowsOf = (run: Run, betweenMs: number): Record<string, Row[]> => {
  const ids = new Map<string, string>();
  const idOf = (name: string) => {
    const id = ids.get(name) ?? randomUUID();
    ids.set(name, id);
    return id;
  };
  return {
    ...saleRows(run, idOf),
    line_credits: creditRows(run, idOf),
    ...journalRows(run, idOf, betweenMs),
  };
};

/** Stores a generated history without the checks of the database, which other tests cover. */
export const storeHistory = async (client: pg.PoolClient, run: Run, betweenMs: number) => {
  for (const [table, rows] of Object.entries(rowsOf(run, betweenMs))) {
    const [first] = rows;
    if (!first) continue;
    const columns = Object.keys(first).join(", ");
    await client.query(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
};
