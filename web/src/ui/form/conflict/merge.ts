type Values = Record<string, unknown>;

export type Stored<V extends Values> = { values: V; version: number };

// The database may return an object's keys in another order.
const ordered = (_name: string, value: unknown) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const textOf = (value: unknown) => JSON.stringify(value ?? null, ordered);

const same = (one: unknown, other: unknown) => textOf(one) === textOf(other);

/** The fields that differ between two states of a record. */
export const changedFields = <V extends Values>(before: V, after: V) =>
  (Object.keys(after) as (keyof V & string)[]).filter(
    (field) => !same(before[field], after[field]),
  );

type Merge<V extends Values> = {
  /** The values to save: both sides' changes, ours where both changed a field. */
  merged: V;
  /** Fields that both sides changed differently. */
  clashes: (keyof V & string)[];
  theirs: (keyof V & string)[];
  mine: (keyof V & string)[];
};

/** Three-way merge that keeps every change made by only one side. */
export const mergeChanges = <V extends Values>(base: V, mine: V, theirs: V): Merge<V> => {
  const byMe = changedFields(base, mine);
  const byThem = changedFields(base, theirs);
  const clashes = byMe.filter(
    (field) => byThem.includes(field) && !same(mine[field], theirs[field]),
  );
  const taken = byThem.filter((field) => !byMe.includes(field));
  const merged = { ...mine };
  for (const field of taken) merged[field] = theirs[field];
  return {
    merged,
    clashes,
    theirs: taken,
    mine: byMe.filter((field) => !byThem.includes(field)),
  };
};

export type RebasedEdits<V extends Values> = Merge<V> & { base: V; current: Stored<V> };

/**
 * Applies edits based on one state of a record to another state. The newer version is current; with
 * equal versions nothing else changed.
 */
export const rebaseEdits = <V extends Values>(
  before: Stored<V>,
  mine: V,
  now: Stored<V>,
): RebasedEdits<V> => {
  const current = before.version > now.version ? before : now;
  const base = before.version === now.version ? now.values : before.values;
  return { ...mergeChanges(base, mine, current.values), base, current };
};
