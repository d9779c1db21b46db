import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { type Command, ownerUrl, UsageError } from "./command.ts";
import { withOwner } from "./databaseContents.ts";

const batchSize = 5000;

type Month = { parent: string; part: string; lower: string | null; upper: string };

// Months that have ended, so nothing is added to them. Deliveries are retried for some days, so a month of webhooks is
// complete a week later, and so one of usage, which isn't in a hurry.
const findMonths = `
  with months as (
    select 'webhook_deliveries' as parent, p.* from partitions_of('webhook_deliveries') p
    where p.upper::uuid <= uuid_v7_from(now() - interval '7 days')
    union all
    select 'webhook_events', p.* from partitions_of('webhook_events') p
    where p.upper::uuid <= uuid_v7_from(now() - interval '7 days')
    union all
    select 'usage_events', p.* from partitions_of('usage_events') p
    where p.upper::uuid <= uuid_v7_from(now() - interval '7 days')
    union all
    select 'audit_entries', p.* from partitions_of('audit_entries') p
    where p.upper::bigint <= (select max(first_id) from audit_months)
  )
  select m.parent, m.part::text as part, m.lower, m.upper from months m
  where not exists (
    select from archives a where a.parent = m.parent and a.lower is not distinct from m.lower and a.upper = m.upper
      and a.dropped_at is null)
  order by m.parent, length(m.upper), m.upper`;

/** The rows of a month as lines of JSON, in the order of their IDs. Memory use doesn't depend on their number. */
async function* linesOf(client: pg.Client, part: string, count: (rows: number) => void) {
  await client.query(
    `declare rows_to_archive no scroll cursor for select to_jsonb(r)::text as line from ${part} r order by r.id`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(
      `fetch ${batchSize} from rows_to_archive`,
    );
    if (rows.length === 0) return;
    count(rows.length);
    yield `${rows.map(({ line }) => line).join("\n")}\n`;
  }
}

/** Writes the rows to a compressed file that only its owner can read, and returns their number and its hash. */
const writeFile = async (client: pg.Client, part: string, file: string) => {
  const hash = createHash("sha256");
  let count = 0;
  const hashing = new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.from(
      linesOf(client, part, (rows) => {
        count += rows;
      }),
    ),
    createGzip(),
    hashing,
    createWriteStream(file, { flags: "w", mode: 0o600, flush: true }),
  );
  return { rows: count, sha256: hash.digest("hex") };
};

/** Reading the rows locks the month, so that it isn't dropped meanwhile. */
const archiveMonth = async (client: pg.Client, folder: string, month: Month) => {
  const { parent, part, lower, upper } = month;
  const file = join(folder, `${part.split(".").at(-1)}.jsonl.gz`);
  const unfinished = `${file}.${process.pid}.partial`;
  await client.query("begin");
  try {
    const { rows: some } = await client.query(`select from ${part} limit 1`);
    if (some.length === 0) return null;
    if (existsSync(file))
      throw new UsageError(`${file} already exists. Move it, or choose another directory.`);
    const { rows, sha256 } = await writeFile(client, part, unfinished);
    await rename(unfinished, file);
    await client.query(
      `insert into archives (parent, part, lower, upper, rows, file, sha256) values ($1, $2, $3, $4, $5, $6, $7)`,
      [parent, part, lower, upper, rows, file, sha256],
    );
    await client.query("commit");
    return { file, rows, sha256 };
  } finally {
    await client.query("rollback");
    await rm(unfinished, { force: true });
  }
};

const number = new Intl.NumberFormat("en").format;

/** Writes months of the audit log, of webhooks and of usage to files, before the retention removes them. */
export const archive: Command = async (config, { rest: [given], print }) => {
  if (!given) throw new UsageError("Usage: purser archive <directory>.");
  const folder = resolve(given);
  await mkdir(folder, { recursive: true });
  await withOwner(ownerUrl(config), async (client) => {
    const { rows: months } = await client.query<Month>(findMonths);
    let written = 0;
    for (const month of months) {
      const made = await archiveMonth(client, folder, month);
      if (!made) continue;
      written += 1;
      print(`Wrote ${made.file}: ${number(made.rows)} rows, SHA-256 ${made.sha256}.\n`);
    }
    if (written === 0) print("There is no month to archive.\n");
    else print("The files contain personal data. Keep them as long as the law requires.\n");
  });
};
