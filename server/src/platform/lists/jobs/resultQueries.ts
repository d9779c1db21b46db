import type { Message } from "@purser/contract/messages/message";
import { type Db, first, run } from "../../db/db.ts";
import { statement, template } from "../../db/statement.ts";
import type { Outcome } from "./queries.ts";

const results = template(
  "listJobs.results",
  (table: string, name: string) => `
    select j.position, j.record_id as id, coalesce(${name}, '') as name, j.outcome, j.detail
    from list_job_rows j left join ${table} r on r.id = j.record_id
    where j.job_id = $1 and j.outcome is not null`,
  ["users", "r.name"],
)
  // A filtered page reads past the other rows.
  .bounded(20_000)
  .present<"outcome">()
  .narrow<{ name: string; outcome: Outcome["outcome"]; detail: Message | null }>();

/** Where the rows of a job are, and the SQL of their names. */
export type Named = { table: string; name: string };

export const resultsOf = ({ table, name }: Named) =>
  results.for(table, name).with("order by j.position");

type Page = { after: number; outcome: string | null; limit: number };

export const findRows = (db: Db, { table, name }: Named, jobId: string, page: Page) => {
  const asked = results
    .for(table, name)
    .with(
      "and j.position > $2 and ($3::text is null or j.outcome = $3) order by j.position limit $4",
    );
  return run(db, asked, [jobId, page.after, page.outcome, page.limit]);
};

const findChunkSql = statement(
  "listJobs.findChunk",
  "select content from list_job_chunks where job_id = $1 and position = $2",
);

export const findChunk = async (db: Db, jobId: string, position: number) =>
  (await first(db, findChunkSql, [jobId, position]))?.content;
