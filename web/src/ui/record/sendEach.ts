import { outcomeOf } from "#lib/api/userFacingError.ts";
import type { Skipped } from "./skipped.ts";

/** Sends a request for each record in turn. */
export const sendEach = async <R extends { name: string }>(
  records: R[],
  send: (record: R) => Promise<R>,
) => {
  const saved: R[] = [];
  const skipped: Skipped[] = [];
  for (const record of records) {
    const { value, refusal } = await outcomeOf(send(record));
    if (value) saved.push(value);
    else if (refusal) skipped.push({ name: record.name, detail: refusal.message });
  }
  return { saved, skipped };
};
