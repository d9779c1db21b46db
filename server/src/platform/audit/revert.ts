import { allows, type Holder, type Permission } from "@purser/contract/auth/permissions";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { Message } from "@purser/contract/messages/message";
import type { RevertPreview } from "@purser/contract/workspace/audit";
import { settable } from "@purser/contract/workspace/revert";
import { z } from "zod";
import type { Db } from "../db/db.ts";
import { camelCase } from "../db/names.ts";
import { message } from "../messages.ts";
import { changesBetween, type Entry, type Stored } from "./activity.ts";
import { adviceOn, type RevertAdvice } from "./revertAdvice.ts";
import { findCurrentRow, findLater, wasErased } from "./revertQueries.ts";

/** The rows of a module that can be reverted, and the endpoints that do it, the same that users call. */
export type Reverting = {
  entity: keyof typeof settable;
  /** The rows that these endpoints are for, if the table has others. */
  isFor?: (row: Stored) => boolean;
  /** The record as its endpoints return it. */
  find: (db: Db, id: string, now: Date) => Promise<object | undefined>;
  reply: z.ZodType;
  change: Endpoint;
  /** Reverts a creation, as long as the record isn't in use. */
  remove?: Endpoint;
  archive?: Endpoint;
  restore?: Endpoint;
  /** The id of the record whose endpoint changes the row, if it isn't the row itself. */
  recordOf?: (row: Stored) => string;
  /** Why this row can't be changed, in addition to what the endpoint refuses. */
  refusal?: (row: Stored) => Message | null;
  /** The body that the endpoint takes, if it differs from the reply. */
  bodyOf?: (db: Db, shown: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** Values for null in fields in which the endpoint requires one. */
  blanks?: Record<string, unknown>;
  /** Fields that have another name in the body. */
  names?: Record<string, string>;
  /** Columns with values that were renamed. Entries keep the old ones; this returns today's. */
  renamed?: Record<string, (value: unknown) => unknown>;
  /** How to revert changes that customers see only once a draft is published. Null for other entries. */
  draft?: (db: Db, entry: Entry, now: Date) => Promise<DraftRevert | null>;
};

type Draft = { sets: RevertPreview["sets"]; values: Record<string, unknown>; review: string };
/** The values that a draft gets, and the page that publishes it, or why there can't be one. */
export type DraftRevert = Draft | { refusal: Message };

type Call = {
  endpoint: Endpoint;
  params: { id: string };
  body: Record<string, unknown> | undefined;
  version: number;
};

type Refusal = NonNullable<RevertPreview["refusal"]>;

/** The call that reverts an entry, or why there is none. */
export type Plan = Pick<RevertPreview, "action" | "sets" | "review"> & { call: Call | Refusal };

const refused = (detail: Message, more: Partial<Refusal> = {}): Plan => ({
  action: null,
  sets: [],
  review: null,
  call: { code: "wrong_state", detail, place: null, later: null, ...more },
});

export const isRefusal = (call: Call | Refusal): call is Refusal => "detail" in call;

const same = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const changedSince = async (db: Db, entry: Entry, columns: string[]): Promise<Plan> => {
  const later = await findLater(db, entry, columns);
  if (!later) return refused(message("revert_value_changed", "This value has changed since."));
  const { reverts, ...shown } = later;
  return refused(
    reverts === entry.id
      ? message("revert_done", "This change was already reverted.")
      : message(
          "revert_changed_since",
          "This was changed again later. Revert the later change first.",
        ),
    { later: shown },
  );
};

const lives = { archived: "restore", active: "archive" } as const;

type Around = { db: Db; entry: Entry; module: Reverting; advice: RevertAdvice; now: Date };

const shownNow = async ({ db, entry, module, now }: Around, row: Stored) => {
  const id = module.recordOf?.(row) ?? entry.recordId;
  const found = await module.find(db, id, now);
  if (!found) return null;
  const shown = z.encode(module.reply, found) as Record<string, unknown> & { version: number };
  return { id, shown };
};

/** Reverts a change of status, with the action that users have for it. */
const planStatus = async (around: Around, row: Stored): Promise<Plan> => {
  const { entry, module, advice } = around;
  const [from, to] = [entry.before?.["status"], entry.after?.["status"]];
  const action = to === "archived" || (to === "active" && from === "archived") ? lives[to] : null;
  const endpoint = action && module[action];
  if (!endpoint || (action === "restore" && from === "draft"))
    return refused(
      message("revert_activation", "An activation can't be reverted. Archive the record instead."),
      {
        place: adviceOn(advice, entry, row).place,
      },
    );
  if (!same(row["status"], to)) return changedSince(around.db, entry, ["status"]);
  const now = await shownNow(around, row);
  if (!now) return refusedByKind(advice, entry, row);
  const { id, shown } = now;
  return {
    action,
    sets: [{ field: "status", from: to, to: from }],
    review: null,
    call: { endpoint, params: { id }, body: {}, version: shown.version },
  };
};

const callToChange = async (
  { db, module }: Around,
  { id, shown }: NonNullable<Awaited<ReturnType<typeof shownNow>>>,
  values: Record<string, unknown>,
): Promise<Call> => {
  const shape = Object.keys(module.change.body?.shape ?? {}).filter((key) => key !== "reason");
  const source = module.bodyOf ? await module.bodyOf(db, shown) : shown;
  const body = { ...Object.fromEntries(shape.map((key) => [key, source[key]])), ...values };
  return { endpoint: module.change, params: { id }, body, version: shown.version };
};

/** Reverts something published with a draft, which a user reviews and publishes. */
const planDraft = async (around: Around, row: Stored): Promise<Plan | null> => {
  const { db, entry, module, advice, now } = around;
  const draft = await module.draft?.(db, entry, now);
  if (!draft) return null;
  const { place } = adviceOn(advice, entry, row);
  if ("refusal" in draft) return refused(draft.refusal, { place });
  const current = await shownNow(around, row);
  if (!current) return refusedByKind(advice, entry, row);
  const { values, ...shown } = draft;
  return { action: "draft", ...shown, call: await callToChange(around, current, values) };
};

const planChange = async (around: Around, row: Stored): Promise<Plan> => {
  const { db, entry, module, advice } = around;
  const changes = changesBetween(entry.before, entry.after);
  const columns = Object.keys({ ...entry.before, ...entry.after }).filter((column) =>
    changes.some(({ field }) => field === camelCase(column)),
  );
  const isPlain = ({ field }: { field: string }) => !field.endsWith("At");
  if (changes.some(({ field }) => field === "status") && module.archive)
    return planStatus(around, row);
  const fields: readonly string[] = settable[module.entity].fields;
  const wanted = changes.filter((one) => isPlain(one) || fields.includes(one.field));
  if (wanted.length === 0 || wanted.some(({ field }) => !fields.includes(field)))
    return refusedByKind(advice, entry, row);
  const why = module.refusal?.(row);
  if (why) return refused(why, { place: adviceOn(advice, entry, row).place });
  const moved = columns.filter(
    (column) => fields.includes(camelCase(column)) && !same(row[column], entry.after?.[column]),
  );
  if (moved.length > 0) return changedSince(db, entry, moved);
  const current = await shownNow(around, row);
  if (!current) return refusedByKind(advice, entry, row);
  const values = Object.fromEntries(
    wanted.map(({ field, before }) => [
      module.names?.[field] ?? field,
      before ?? module.blanks?.[field] ?? null,
    ]),
  );
  return {
    action: "change",
    sets: wanted.map(({ field, before, after }) => ({ field, from: after, to: before })),
    review: null,
    call: await callToChange(around, current, values),
  };
};

const refusedByKind = (advice: RevertAdvice, entry: Entry, row?: Stored): Plan => {
  const { detail, place } = adviceOn(advice, entry, row ?? entry.after ?? entry.before ?? {});
  return refused(detail, { place });
};

/** The entry with today's values where they were renamed. */
const renamedIn = (entry: Entry, renamed: Reverting["renamed"] = {}): Entry => {
  const rename = (row: Stored | null): Stored | null =>
    row &&
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, renamed[column]?.(value) ?? value]),
    );
  return { ...entry, before: rename(entry.before), after: rename(entry.after) };
};

/** What the modules tell the audit log about their tables. */
export type Reverts = { modules: readonly Reverting[]; advice: RevertAdvice };

type Asked = { entry: Entry; reverts: Reverts; reader: Holder; now: Date };

const permissionFor = (endpoint: Endpoint) => endpoint.permission as Permission;

/** Decides from the current row how to revert an entry. */
export const planRevert = async (
  db: Db,
  { entry, reverts: { modules, advice }, reader, now }: Asked,
): Promise<Plan> => {
  const own = modules.filter(({ entity }) => entity === entry.entity);
  if (own.length === 0) return refusedByKind(advice, entry);
  const row = await findCurrentRow(db, entry.entity, entry.recordId);
  const known = row ?? entry.after ?? entry.before ?? {};
  const module = own.find(({ isFor = () => true }) => isFor(known));
  if (!module) return refusedByKind(advice, entry, known);
  if (!allows(reader, permissionFor(module.change)))
    return refused(
      message("revert_forbidden", "Your role can't change this. Ask a team member with access."),
      {
        code: "forbidden",
      },
    );
  if (!row)
    return refused(
      entry.action === "delete"
        ? message(
            "revert_deletion",
            "A deletion can't be reverted. Create the record again with the values in this entry.",
          )
        : message("revert_record_deleted", "This record has been deleted since."),
    );
  if (await wasErased(db, entry.id))
    return refused(message("revert_erased", "The earlier value was erased from the audit log."));
  const around = { db, entry: renamedIn(entry, module.renamed), module, advice, now };
  if (entry.action === "update")
    return (await planDraft(around, row)) ?? (await planChange(around, row));
  if (entry.action !== "insert" || !module.remove) return refusedByKind(advice, entry, row);
  const current = await shownNow(around, row);
  if (!current) return refusedByKind(advice, entry, row);
  return {
    action: "delete",
    sets: [],
    review: null,
    call: {
      endpoint: module.remove,
      params: { id: current.id },
      body: undefined,
      version: current.shown.version,
    },
  };
};
