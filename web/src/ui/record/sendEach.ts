import { outcomeOf } from "#lib/api/userFacingError.ts";
import { count } from "#lib/labels.ts";

/** Sends a request for each record in turn. `stayed` names the first refusal, for the toast. */
export const sendEach = async <R extends { name: string }>(
  one: string,
  records: R[],
  send: (record: R) => Promise<R>,
) => {
  const saved: R[] = [];
  const refused: string[] = [];
  for (const record of records) {
    const { value, refusal } = await outcomeOf(send(record));
    if (value) saved.push(value);
    else if (refusal) refused.push(`${record.name}: ${refusal.message}`);
  }
  const stayed = refused.length > 0 ? ` ${count(refused.length, one)} stayed: ${refused[0]}` : "";
  return { saved, stayed };
};
