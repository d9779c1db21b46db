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
   greatest((select max(id) from audit_entries), (select max(entry_id) from audit_unsealed), 0) as entry`,
).narrow<{ seal: string; entry: string }>();

/** Starts a verification. Entries that are written from now on are left for the next one. */
export const beginVerifying = async (db: Db, now: Date): Promise<VerifyPlace> => {
  const end = await first(db, beginVerifyingSql);
  return {
    startedAt: now,
    lastSeal: Number(end?.seal),
    lastEntry: Number(end?.entry),
    seal: 0,
    entry: 0,
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

/** Verifies one batch: first the chain of seals, then the entries, then the redactions. */
const stepFurther = async (db: Db, place: VerifyPlace) => {
  const { seal, entry, lastSeal, lastEntry } = place;
  if (seal < lastSeal) {
    const last = Math.min(seal + sealsPerBatch, lastSeal);
    const broken = await run(db, brokenSeal, [seal + 1, last]);
    return { broken: broken[0], place: { ...place, seal: last }, ended: false };
  }
  if (entry < lastEntry) {
    const last = Math.min(entry + entriesPerBatch, lastEntry);
    const broken = await run(db, brokenEntry, [entry + 1, last]);
    return { broken: broken[0], place: { ...place, entry: last }, ended: false };
  }
  const broken = await run(db, brokenRedaction);
  return { broken: broken[0], place, ended: true };
};

type Watch = { goesOn?: () => boolean; tell?: (place: VerifyPlace) => void };

/**
 * Verifies the log in batches, so that memory doesn't grow with it, until it finds a fault, ends or is stopped. A
 * later call can continue from the returned place.
 */
export const verifyOn = async (
  db: Db,
  from: VerifyPlace,
  { goesOn = () => true, tell }: Watch = {},
) => {
  let place = from;
  do {
    const step = await stepFurther(db, place);
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
