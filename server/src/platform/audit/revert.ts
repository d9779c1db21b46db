import { allows, type Permission, type Role } from "@purser/contract/auth/permissions";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { RevertPreview } from "@purser/contract/workspace/audit";
import { settable } from "@purser/contract/workspace/revert";
import { z } from "zod";
import { type Db, first, run } from "../db/db.ts";
import { camelCase } from "../db/names.ts";
import { statement, template } from "../db/statement.ts";
import { changesBetween, type Entry, type Stored } from "./activity.ts";
import { revertAdvice } from "./revertAdvice.ts";

/** The rows of a module that can be set back, and the calls that do it: those that people use. */
export type Reverting = {
  entity: keyof typeof settable;
  /** Which rows these calls are for, where others have their own. */
  isFor?: (row: Stored) => boolean;
  /** The record as its calls show it. */
  find: (db: Db, id: string, now: Date) => Promise<object | undefined>;
  reply: z.ZodType;
  change: Endpoint;
  /** Of something that was made: takes it away again, if nobody uses it. */
  remove?: Endpoint;
  archive?: Endpoint;
  restore?: Endpoint;
  /** Whose call changes it, where that is not the row itself. */
  recordOf?: (row: Stored) => string;
  /** Why this row cannot change, beside what the call itself refuses. */
  refusal?: (row: Stored) => string | null;
  /** What the call takes, of what it shows, where they differ. */
  bodyOf?: (db: Db, shown: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** What stands for nothing in a field that the call wants a value for. */
  blanks?: Record<string, unknown>;
  /** Fields that the call knows by another name. */
  names?: Record<string, string>;
};

type Call = {
  endpoint: Endpoint;
  params: { id: string };
  body: Record<string, unknown> | undefined;
  version: number;
};

type Refusal = NonNullable<RevertPreview["refusal"]>;

/** What setting an entry back comes to: a call, or why there is none. */
export type Plan = Pick<RevertPreview, "act" | "sets"> & { call: Call | Refusal };

const refused = (detail: string, more: Partial<Refusal> = {}): Plan => ({
  act: null,
  sets: [],
  call: { code: "wrong_state", detail, place: null, later: null, ...more },
});

export const isRefusal = (call: Call | Refusal): call is Refusal => "detail" in call;

const currentRow = template(
  "audit.currentRow",
  (entity: string) => `select to_jsonb(r) as row from ${entity} r where r.id = $1`,
  ["apps"],
).narrow<{ row: Stored }>();

const rowNow = async (db: Db, entity: string, id: string) =>
  (await first(db, currentRow.for(entity), [id]))?.row;

const findLaterSql = statement(
  "audit.findLater",
  `select e.id, e.at, e.actor_name as "actorName", e.reverts from audit_entries e
   where e.entity = $1 and e.record_id = $2 and e.id > $3::bigint and exists (
     select from unnest($4::text[]) as c where e.before -> c is distinct from e.after -> c)
   order by e.id desc limit 1`,
);

/** The last change of one of these columns since the entry. */
const findLater = (db: Db, { id, entity, recordId }: Entry, columns: string[]) =>
  first(db, findLaterSql, [entity, recordId, id, columns]);

const same = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const changedSince = async (db: Db, entry: Entry, columns: string[]): Promise<Plan> => {
  const later = await findLater(db, entry, columns);
  if (!later) return refused("It has another value by now.");
  const { reverts, ...shown } = later;
  return refused(
    reverts === entry.id
      ? `${later.actorName ?? "Somebody"} has set it back already.`
      : `${later.actorName ?? "Somebody"} changed it again since. Set that back first, if it is wrong too.`,
    { later: shown },
  );
};

const lives = { archived: "restore", active: "archive" } as const;

type Around = { db: Db; entry: Entry; module: Reverting; now: Date };

const shownNow = async ({ db, entry, module, now }: Around, row: Stored) => {
  const id = module.recordOf?.(row) ?? entry.recordId;
  const found = await module.find(db, id, now);
  if (!found) return null;
  const shown = z.encode(module.reply, found) as Record<string, unknown> & { version: number };
  return { id, shown };
};

/** One step back in the life of a record, by the act that people use. */
const planLife = async (around: Around, row: Stored): Promise<Plan> => {
  const { entry, module } = around;
  const [from, to] = [entry.before?.["status"], entry.after?.["status"]];
  const act = to === "archived" || (to === "active" && from === "archived") ? lives[to] : null;
  const endpoint = act && module[act];
  if (!endpoint || (act === "restore" && from === "draft"))
    return refused("What was made active stays so. Archive it instead.", {
      place: revertAdvice(entry, row).place,
    });
  if (!same(row["status"], to)) return changedSince(around.db, entry, ["status"]);
  const now = await shownNow(around, row);
  if (!now) return refusedByKind(entry, row);
  const { id, shown } = now;
  return {
    act,
    sets: [{ field: "status", from: to, to: from }],
    call: { endpoint, params: { id }, body: {}, version: shown.version },
  };
};

const planChange = async (around: Around, row: Stored): Promise<Plan> => {
  const { db, entry, module } = around;
  const changes = changesBetween(entry.before, entry.after);
  const columns = Object.keys({ ...entry.before, ...entry.after }).filter((column) =>
    changes.some(({ field }) => field === camelCase(column)),
  );
  const isPlain = ({ field }: { field: string }) => !field.endsWith("At");
  if (changes.some(({ field }) => field === "status") && module.archive)
    return planLife(around, row);
  const fields: readonly string[] = settable[module.entity].fields;
  const wanted = changes.filter((one) => isPlain(one) || fields.includes(one.field));
  if (wanted.length === 0 || wanted.some(({ field }) => !fields.includes(field)))
    return refusedByKind(entry, row);
  const why = module.refusal?.(row);
  if (why) return refused(why, { place: revertAdvice(entry, row).place });
  const moved = columns.filter(
    (column) => fields.includes(camelCase(column)) && !same(row[column], entry.after?.[column]),
  );
  if (moved.length > 0) return changedSince(db, entry, moved);
  const current = await shownNow(around, row);
  if (!current) return refusedByKind(entry, row);
  const { id, shown } = current;
  const shape = Object.keys(module.change.body?.shape ?? {}).filter((key) => key !== "reason");
  const source = module.bodyOf ? await module.bodyOf(db, shown) : shown;
  const body = Object.fromEntries(shape.map((key) => [key, source[key]]));
  for (const { field, before } of wanted)
    body[module.names?.[field] ?? field] = before ?? module.blanks?.[field] ?? null;
  return {
    act: "change",
    sets: wanted.map(({ field, before, after }) => ({ field, from: after, to: before })),
    call: { endpoint: module.change, params: { id }, body, version: shown.version },
  };
};

const refusedByKind = (entry: Entry, row: Stored | undefined): Plan => {
  const { detail, place } = revertAdvice(entry, row ?? entry.after ?? entry.before ?? {});
  return refused(detail, { place });
};

const wasErased = async (db: Db, id: string) =>
  (await run(db, "select from audit_redacted where entry_id = $1::bigint limit 1", [id])).length >
  0;

type Asking = { entry: Entry; modules: readonly Reverting[]; role: Role; now: Date };

const permissionFor = (endpoint: Endpoint) => endpoint.permission as Permission;

/** Decides what setting an entry back would be, from what is there now. */
export const planRevert = async (db: Db, { entry, modules, role, now }: Asking): Promise<Plan> => {
  const own = modules.filter(({ entity }) => entity === entry.entity);
  if (own.length === 0) return refusedByKind(entry, undefined);
  const row = await rowNow(db, entry.entity, entry.recordId);
  const known = row ?? entry.after ?? entry.before ?? {};
  const module = own.find(({ isFor = () => true }) => isFor(known));
  if (!module) return refusedByKind(entry, known);
  if (!allows(role, permissionFor(module.change)))
    return refused("Your role may not change this. Ask somebody whose role may.", {
      code: "forbidden",
    });
  if (!row)
    return refused(
      entry.action === "delete"
        ? "What was deleted does not come back. Create it anew with the values that the entry shows."
        : "It was deleted since, so there is nothing to set back.",
    );
  if (await wasErased(db, entry.id))
    return refused("What it was before was erased from the log, so nobody knows it.");
  const around = { db, entry, module, now };
  if (entry.action === "update") return planChange(around, row);
  if (entry.action !== "insert" || !module.remove) return refusedByKind(entry, row);
  const current = await shownNow(around, row);
  if (!current) return refusedByKind(entry, row);
  return {
    act: "delete",
    sets: [],
    call: {
      endpoint: module.remove,
      params: { id: current.id },
      body: undefined,
      version: current.shown.version,
    },
  };
};
