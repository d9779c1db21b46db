import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

// Each batch takes much less than the statement timeout of the application.
const sealsPerBatch = 10;
const entriesPerBatch = 10_000;

/** How far a verification has come. Everything before it is correct. */
export type VerifyPlace = {
  startedAt: Date;
  lastSeal: number;
  lastEntry: number;
  seal: number;
  entry: number;
};

export type Broken = { what: string; number: string };

const beginVerifyingSql = statement(
  "audit.beginVerifying",
  `select coalesce((select max(number) from audit_seals), 0) as seal,
     greatest((select max(id) from audit_entries), (select max(entry_id) from audit_unsealed), 0) as entry,
     coalesce(r.first_seal - 1, 0) as "removedSeal", coalesce(r.last_entry, 0) as "removedEntry"
   from audit_last_removal() r`,
).narrow<{ seal: string; entry: string; removedSeal: string; removedEntry: string }>();

// Entries that weren't sealed then are in later seals, so they are verified again. After a fault, and if the seal that
// was the last one has another hash, nothing counts as verified.
const lastVerifiedSql = statement(
  "audit.lastVerified",
  `select v.last_seal as seal, least(v.last_entry,
     (select min(later.entry_ids[1]) - 1 from audit_seals later where later.number > v.last_seal)) as entry
   from (select * from audit_verifications order by id desc limit 1) v
   join audit_seals s on s.number = v.last_seal and s.hash = v.head
   where v.broken_what is null`,
).narrow<{ seal: string; entry: string }>();

/**
 * Starts a verification of the whole log that is left, or of what was added since the last one. Entries that are
 * written from now on are left for the next one.
 */
export const beginVerifying = async (
  db: Db,
  now: Date,
  since: "start" | "last verified" = "start",
): Promise<VerifyPlace> => {
  const end = await first(db, beginVerifyingSql);
  const verified = since === "start" ? undefined : await first(db, lastVerifiedSql);
  return {
    startedAt: now,
    lastSeal: Number(end?.seal),
    lastEntry: Number(end?.entry),
    seal: Number(verified?.seal ?? end?.removedSeal),
    entry: Number(verified?.entry ?? end?.removedEntry),
  };
};

const brokenSeal = statement(
  "audit.brokenSeal",
  "select what, number from audit_broken_seal($1::bigint, $2::bigint)",
).narrow<Broken>();
const brokenEntry = statement(
  "audit.brokenEntry",
  "select what, number from audit_broken_entry($1::bigint, $2::bigint)",
).narrow<Broken>();
const brokenRedaction = statement(
  "audit.brokenRedaction",
  "select what, number from audit_broken_redaction()",
).narrow<Broken>();

const nextEntrySql = statement(
  "audit.nextEntry",
  `select least((select min(id) from audit_entries where id > $1::bigint),
     (select min(entry_id) from audit_unsealed where entry_id > $1::bigint)) as id`,
);

type Range = { from: number; last: number; size: number };

/** The next ranges, as many as are verified at the same time. */
const rangesOf = ({ from, last, size }: Range, parallel: number) =>
  Array.from({ length: parallel }, (_, place) => from + place * size)
    .filter((start) => start < last)
    .map((start) => [start + 1, Math.min(start + size, last)] as const);

/** The first fault in ranges that are verified at the same time. */
const verifyRanges = async (
  db: Db,
  verify: typeof brokenSeal,
  ranges: readonly (readonly [number, number])[],
) => {
  const found = await Promise.all(ranges.map((range) => run(db, verify, [...range])));
  return { broken: found.flat()[0], last: ranges.at(-1)?.[1] ?? 0 };
};

/** Verifies the next batches: first of the chain of seals, then of the entries, then the redactions. */
const stepFurther = async (db: Db, place: VerifyPlace, parallel: number) => {
  const { seal, entry, lastSeal, lastEntry } = place;
  if (seal < lastSeal) {
    const ranges = rangesOf({ from: seal, last: lastSeal, size: sealsPerBatch }, parallel);
    const { broken, last } = await verifyRanges(db, brokenSeal, ranges);
    return { broken, place: { ...place, seal: last }, ended: false };
  }
  if (entry < lastEntry) {
    const ranges = rangesOf({ from: entry, last: lastEntry, size: entriesPerBatch }, parallel);
    const { broken, last } = await verifyRanges(db, brokenEntry, ranges);
    // Many numbers are unused at the end of a month.
    const next = await first(db, nextEntrySql, [last]);
    return {
      broken,
      place: { ...place, entry: Math.min(next?.id ? Number(next.id) - 1 : lastEntry, lastEntry) },
      ended: false,
    };
  }
  const broken = await run(db, brokenRedaction);
  return { broken: broken[0], place, ended: true };
};

type Watch = {
  goesOn?: () => boolean;
  tell?: (place: VerifyPlace) => void;
  /** How many batches are verified at the same time. */
  parallel?: number;
};

/**
 * Verifies the log in batches, so that memory doesn't grow with it, until it finds a fault, ends or is stopped. A
 * later call can continue from the returned place.
 */
export const verifyOn = async (
  db: Db,
  from: VerifyPlace,
  { goesOn = () => true, tell, parallel = 1 }: Watch = {},
) => {
  let place = from;
  do {
    const step = await stepFurther(db, place, parallel);
    if (step.broken) return { place, broken: step.broken, ended: true };
    if (step.ended) return { place, broken: null, ended: true };
    place = step.place;
    tell?.(place);
  } while (goesOn());
  return { place, broken: null, ended: false };
};

const recordVerificationSql = statement(
  "audit.recordVerification",
  `insert into audit_verifications (started_at, last_entry, last_seal, head, broken_what, broken_number)
   values ($1, $2, $3, (select hash from audit_seals where number = $3), $4, $5)
   returning encode(head, 'hex') as head`,
);

/** Stores the result of a verification. */
export const recordVerification = async (db: Db, place: VerifyPlace, broken: Broken | null) => {
  const row = await first(db, recordVerificationSql, [
    place.startedAt,
    place.lastEntry,
    place.lastSeal,
    broken?.what ?? null,
    broken?.number ?? null,
  ]);
  return row?.head ?? null;
};

/** Verifies the whole log. Returns the first fault, or null. */
export const verifyAudit = async (db: Db, now: Date) =>
  (await verifyOn(db, await beginVerifying(db, now))).broken;
