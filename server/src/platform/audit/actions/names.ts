import { entityNames } from "@purser/contract/entities";
import { partTables, referenceColumns } from "@purser/contract/workspace/auditReferences";
import type { RecordNames } from "@purser/contract/workspace/history";
import type { Db } from "../../db/db.ts";
import { isUuid } from "../../lists/sql.ts";
import { type Entry, labelOf, type Stored } from "../activity.ts";
import { findCurrentRows } from "./actionQueries.ts";

type Wanted = Map<string, Set<string>>;
type Row = Pick<Entry, "entity" | "recordId" | "before" | "after">;

/** Records that are known by their current name. All others are shown as they were. */
const hasName = (entity: string) => entityNames.some((name) => name === entity);

const add = (wanted: Wanted, entity: string, id: unknown) => {
  if (typeof id !== "string" || !isUuid(id)) return;
  wanted.set(entity, (wanted.get(entity) ?? new Set()).add(id));
};

/** A comment names the table of its record. */
const addCommented = (wanted: Wanted, row: Stored | null) => {
  const entity = row?.["entity"];
  if (typeof entity === "string" && hasName(entity)) add(wanted, entity, row?.["record_id"]);
};

const addReferences = (wanted: Wanted, row: Stored | null) => {
  for (const [column, value] of Object.entries(row ?? {})) {
    const entity = referenceColumns[column];
    if (entity) add(wanted, entity, value);
  }
};

/** The records that an entry is about or refers to, by table. */
const referencesIn = (entries: readonly Row[]): Wanted => {
  const wanted: Wanted = new Map();
  for (const { entity, recordId, before, after } of entries) {
    const parts = partTables[entity];
    if (!parts) {
      if (hasName(entity)) add(wanted, entity, recordId);
      addReferences(wanted, before);
      addReferences(wanted, after);
      if (entity === "user_notes") addCommented(wanted, after ?? before);
      continue;
    }
    add(wanted, parts.record, recordId);
    const { key } = parts;
    if (key) for (const id of Object.keys({ ...before, ...after })) add(wanted, key, id);
  }
  return wanted;
};

/** At most this many names are looked up per table, which is more than a page shows. */
const namesMax = 200;

type Rows = Map<string, { entity: string; row: Stored }>;

const readRows = async (db: Db, wanted: Wanted, known: Rows) => {
  for (const [entity, ids] of wanted) {
    const missing = [...ids].filter((id) => !known.has(id)).slice(0, namesMax);
    if (missing.length === 0) continue;
    for (const { id, row } of await findCurrentRows(db, entity, missing))
      known.set(String(id), { entity, row });
  }
};

const textOf = (row: Stored, id: string) => {
  const label = labelOf({ before: null, after: row, recordId: id });
  return label === id ? null : label;
};

/** Versions have the name of their package and a number, and subscriptions the name of their package. */
const nameOf = (id: string, row: Stored, known: Rows): string | null => {
  const packageId = row["package_id"];
  const owner = typeof packageId === "string" ? known.get(packageId)?.row["name"] : undefined;
  const number = row["number"];
  if (owner && typeof number === "number") return `${owner} v${number}`;
  return textOf(row, id) ?? (typeof owner === "string" ? owner : null);
};

/**
 * The current names of all records in these entries. Deleted records have the name from their entries. `isShown` says
 * which rows the user can read.
 */
export const findNames = async (
  db: Db,
  entries: readonly Row[],
  isShown: (entity: string, row: Stored) => boolean = () => true,
): Promise<RecordNames> => {
  const known: Rows = new Map();
  await readRows(db, referencesIn(entries), known);
  for (const { entity, recordId, before, after } of entries) {
    const row = after ?? before;
    if (row && !partTables[entity] && !known.has(recordId)) known.set(recordId, { entity, row });
  }
  // Versions and subscriptions refer to their package.
  const behind: Wanted = new Map();
  for (const { row } of known.values()) add(behind, "packages", row["package_id"]);
  await readRows(db, behind, known);
  return Object.fromEntries(
    [...known].flatMap(([id, { entity, row }]) => {
      const name = isShown(entity, row) ? nameOf(id, row, known) : null;
      const packageId = row["package_id"];
      const parentId = typeof packageId === "string" ? packageId : null;
      return name ? [[id, { entity, name, parentId }]] : [];
    }),
  );
};
