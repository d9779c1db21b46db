import type { Message } from "@purser/contract/messages/message";
import { message } from "#platform/messages.ts";

type Stored = { id: string; name: string; version: number };
type Refusal = { code: string; detail: Message };

const stale = {
  code: "stale_version" as const,
  detail: message(
    "stale_target",
    "Someone else changed this record since you opened the list. Review it and try again.",
  ),
};

/** Decides a bulk action for each record on its own, so that one refusal doesn't stop the others. */
export const decideEach = <S extends Stored, R extends Refusal>(
  targets: readonly Pick<S, "id" | "version">[],
  stored: readonly S[],
  { missing, refusalOf }: { missing: Message; refusalOf: (record: S) => R | null },
) => {
  const byId = new Map(stored.map((record) => [record.id, record]));
  const decided = targets.map(({ id: given, version }) => {
    // A request may spell a UUID in capitals; the database never does.
    const id = given.toLowerCase();
    const record = byId.get(id);
    if (!record) return { id, name: "", refusal: { code: "not_found" as const, detail: missing } };
    const refusal = record.version === version ? refusalOf(record) : stale;
    return { id, name: record.name, refusal };
  });
  return {
    allowed: decided.flatMap(({ id, refusal }) => (refusal ? [] : [id])),
    refused: decided.flatMap(({ id, name, refusal }) =>
      refusal ? [{ id, name, ...refusal }] : [],
    ),
  };
};
