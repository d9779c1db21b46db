type Stored = { id: string; name: string; version: number };
type Refusal = { code: string; detail: string };

const stale = {
  code: "stale_version" as const,
  detail: "Somebody saved it since you read it. Look at it again, then decide.",
};

/** Decides a bulk action for each record on its own, so that one refusal doesn't stop the others. */
export const decideEach = <S extends Stored, R extends Refusal>(
  targets: readonly Pick<S, "id" | "version">[],
  stored: readonly S[],
  { missing, refusalOf }: { missing: string; refusalOf: (record: S) => R | null },
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
