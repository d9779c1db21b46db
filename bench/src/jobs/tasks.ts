import type { BenchDatabase } from "../setup/database.ts";
import type { Calls } from "./calls.ts";
import { linesOf, uploadCustomers } from "./files.ts";

type Progress = { done: number; isOver: boolean };

/** A job of many rows: how it starts, how far it is, and how many rows it left out, repeated or changed wrongly. */
export type Task = {
  name: string;
  rows: number;
  start: () => Promise<string>;
  progressOf: (id: string) => Promise<Progress>;
  countWrong: (id: string) => Promise<number>;
};

type Shop = { database: BenchDatabase; calls: Calls };

const none = { done: 0, isOver: false };

const listProgress = async ({ query }: BenchDatabase, id: string) => {
  const [row] = await query<Progress>(
    `select done + unchanged + failed as done, status <> 'running' as "isOver" from list_jobs where id = $1`,
    [id],
  );
  return row ?? none;
};

/** Customers of their own, without what the seeder adds to each. */
export const addCustomers = ({ query }: BenchDatabase, rows: number) =>
  query(
    `begin; set local session_replication_role = replica;
     insert into users (email, name, status)
     select 'bulk-' || n || '@example.com', 'Customer ' || n, 'active' from generate_series(1, ${rows}) n;
     commit`,
  );

const copiedAtOnce = 500_000;

/** More purchases like those of the seeder, without what it adds to each, because an export reads only their rows. */
export const addPurchases = async ({ query }: BenchDatabase, rows: number) => {
  for (let made = 0; made < rows; made += copiedAtOnce)
    await query(
      `begin; set local session_replication_role = replica;
       insert into transactions (id, kind, state, user_id, package_id, version_id, price_id, currency, subtotal, discount,
         tax, total, provider, reference, occurred_at, settled_at, settled_by, is_split, created_at, updated_at)
       select uuid_v7(created_at), kind, state, user_id, package_id, version_id, price_id, currency, subtotal, discount,
         tax, total, provider, reference || '-' || n, occurred_at, settled_at, settled_by, true, created_at, updated_at
       from (select * from transactions where kind = 'purchase' and reference is not null order by id limit 10000) t,
         generate_series(${made} / 10000, (${Math.min(made + copiedAtOnce, rows)} - 1) / 10000) n
       limit ${Math.min(copiedAtOnce, rows - made)};
       commit`,
    );
};

export const bulkAction = ({ database, calls }: Shop, rows: number): Task => ({
  name: "bulk action",
  rows,
  start: async () => {
    const body = { action: "suspend", f: "email:starts:bulk-", expected: rows, reason: "Measured" };
    return (await calls.send<{ id: string }>("POST", "/users/bulk-jobs", body)).id;
  },
  progressOf: (id) => listProgress(database, id),
  countWrong: async (id) => {
    const [row] = await database.query<{ wrong: number }>(
      `select (abs($2 - (select count(*) from list_job_rows where job_id = $1::uuid and outcome = 'done'))
         + abs($2 - (select count(*) from users where email like 'bulk-%' and status = 'suspended'))
         + abs($2 - (select count(*) from audit_entries where entity = 'users' and request_id = $1::text))
         + abs($2 - (select count(distinct record_id) from audit_entries where entity = 'users' and request_id = $1::text))
       )::int as wrong`,
      [id, rows],
    );
    return row?.wrong ?? rows;
  },
});

const insertedAtOnce = 50_000;

export const largeExport = ({ database, calls }: Shop, rows: number): Task => ({
  name: "export",
  rows,
  start: async () => {
    const body = { format: "csv", columns: "number,state,total" };
    const { job } = await calls.send<{ job: { id: string } | null }>(
      "POST",
      "/transactions/exports",
      body,
    );
    if (!job) throw new Error("The export is too small for a job.");
    return job.id;
  },
  progressOf: (id) => listProgress(database, id),
  countWrong: async (id) => {
    const { query } = database;
    await query("create unlogged table exported (number text)");
    let numbers: string[] = [];
    const insert = async () => {
      await query("insert into exported select unnest($1::text[])", [numbers]);
      numbers = [];
    };
    for await (const line of linesOf(await calls.file(`/list-jobs/${id}/file`))) {
      numbers.push(line.split(",")[0] ?? "");
      if (numbers.length === insertedAtOnce) await insert();
    }
    // The header isn't a transaction.
    numbers = numbers.filter((number) => number.toLowerCase() !== "number");
    await insert();
    await query("delete from exported where lower(number) = 'number'");
    const [row] = await query<{ wrong: number }>(
      `select ((select count(*) - count(distinct number) from exported)
         + (select count(*) from exported e full join transactions t on t.number = e.number
            where t.id is null or e.number is null))::int as wrong`,
    );
    return row?.wrong ?? rows;
  },
});

const importProgress = async ({ query }: BenchDatabase, id: string, end: string) => {
  const [row] = await query<Progress>(
    `select greatest(position - 1, 0) as done,
       (case status when 'draft' then stage else status end) = $2 as "isOver" from imports where id = $1`,
    [id, end],
  );
  return row ?? none;
};

const recognized = ["externalId", "email", "name", "company", "country", "createdAt"];

/** The upload is a part of the start, and what is measured is the check of every row. */
export const importPreview = ({ database, calls }: Shop, rows: number): Task => ({
  name: "import, preview",
  rows,
  start: async () => {
    const id = await uploadCustomers(calls, rows);
    await calls.send("PUT", `/imports/${id}/mapping`, { mapping: recognized });
    return id;
  },
  progressOf: (id) => importProgress(database, id, "checked"),
  countWrong: async (id) => {
    const [row] = await database.query<{ wrong: number }>(
      `select (abs($2 - (select count(*) from import_results where import_id = $1 and outcome = 'new'))
         + (select count(*) from users where email like 'imported-%'))::int as wrong`,
      [id, rows],
    );
    return row?.wrong ?? rows;
  },
});

/** The import of the file that was checked before. */
export const importRun = ({ database, calls }: Shop, rows: number): Task => ({
  name: "import",
  rows,
  start: async () => {
    const [own] = await database.query<{ id: string }>("select id from imports");
    const id = own?.id ?? "";
    await calls.send("POST", `/imports/${id}/start`, {});
    return id;
  },
  progressOf: (id) => importProgress(database, id, "finished"),
  countWrong: async (id) => {
    const [row] = await database.query<{ wrong: number }>(
      `select (abs($2 - (select count(*) from users where email like 'imported-%' and status = 'active'))
         + abs($2 - (select count(*) from audit_entries where entity = 'users' and request_id = $1))
         + abs($2 - (select (progress->>'new')::int from imports where id = $1::uuid)))::int as wrong`,
      [id, rows],
    );
    return row?.wrong ?? rows;
  },
});
