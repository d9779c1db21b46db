type Values = Record<string, unknown>;

/** A record's values, and the version that they are of. */
export type Stored<V extends Values> = { values: V; version: number };

// By name: a database may give an object's fields back in another order.
const ordered = (_name: string, value: unknown) =>
  value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const textOf = (value: unknown) => JSON.stringify(value ?? null, ordered);

const same = (one: unknown, other: unknown) => textOf(one) === textOf(other);

/** The fields in which two states of a record differ. */
export const changedFields = <V extends Values>(before: V, after: V) =>
  (Object.keys(after) as (keyof V & string)[]).filter(
    (field) => !same(before[field], after[field]),
  );

type Merge<V extends Values> = {
  /** What would be saved: both sides' changes, ours where both changed the same. */
  merged: V;
  /** Both changed it, and not to the same. */
  clashes: (keyof V & string)[];
  theirs: (keyof V & string)[];
  mine: (keyof V & string)[];
};

/** Two people changed the same record: whatever only one of them touched is kept. */
export const mergeOf = <V extends Values>(base: V, mine: V, theirs: V): Merge<V> => {
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

export type Meeting<V extends Values> = Merge<V> & { base: V; current: Stored<V> };

/**
 * What was typed over one state of a record meets the record in another state. The newer of the two is
 * the current one; if they are of the same version, nobody else changed anything.
 */
export const meetingOf = <V extends Values>(
  before: Stored<V>,
  mine: V,
  now: Stored<V>,
): Meeting<V> => {
  const current = before.version > now.version ? before : now;
  const base = before.version === now.version ? now.values : before.values;
  return { ...mergeOf(base, mine, current.values), base, current };
};
