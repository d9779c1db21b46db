import type { Holder } from "@purser/contract/auth/permissions";
import { plain } from "@purser/contract/fields/text";
import type { ListQuery } from "@purser/contract/http/list";
import type { Message } from "@purser/contract/messages/message";
import { auditColumns, auditedEntities, auditFields } from "@purser/contract/workspace/audit";
import { type Topic, topics } from "@purser/contract/workspace/topics";
import { z } from "zod";
import { type Db, first, run } from "../db/db.ts";
import { selection, statement } from "../db/statement.ts";
import type { List, Paging } from "../lists/list.ts";
import { findPage, mapPage } from "../lists/page.ts";
import { type Arm, escapeLike, isUuid, quoted } from "../lists/sql.ts";
import { message } from "../messages.ts";
import { searchCondition } from "./actions/search.ts";
import { changesBetween, columnsOf, describe, type Entry, labelOf } from "./activity.ts";
import type { Broken } from "./verification/verify.ts";

const number = /^\d{1,18}$/;

/** Whether an index finds what was typed: the number of an entry, or the ID of a record or request. */
export const isNumberOrId = (typed: string) => number.test(typed) || isUuid(typed);

// The index of records starts with the entity, so naming all entities makes it usable.
const anyEntity = `r.entity = any ('{${auditedEntities.join(",")}}')`;

const entries = selection("audit.entries", {
  table: "audit_entries",
  columns: columnsOf("r"),
}).narrow<Entry>();

const quotedList = (names: readonly string[]) => names.map(quoted).join(", ");

const topicSql = (name: Topic) => {
  const { entities, only }: TopicTables = topics[name];
  const others = quotedList(entities.filter((entity) => entity !== only?.entity));
  const limited =
    only &&
    ` or r.entity = ${quoted(only.entity)} and coalesce(r.after, r.before) ->> ${quoted(only.column)} in (${quotedList(only.values)})`;
  return `when r.entity in (${others})${limited ?? ""} then ${quoted(name)}`;
};

type TopicTables = {
  entities: readonly string[];
  only?: { entity: string; column: string; values: readonly string[] };
};

export const list = {
  rows: entries,
  fields: auditFields,
  columns: {
    at: "r.at",
    actor: "r.actor_id",
    actorKind: "r.actor_kind",
    entity: "r.entity",
    action: "r.action",
    record: `${anyEntity} and r.record_id`,
    request: "r.request_id",
    reason: "lower(r.reason)",
    topic: `case ${auditFields.topic.options.map(topicSql).join(" ")} end`,
  },
  // Ids grow with time, and every index ends with them.
  sorts: { at: "r.id" },
  idCast: "bigint",
  idAt: (
    moment,
  ) => `coalesce((select e.id from audit_entries e where e.at >= ${moment} and e.id >= audit_since(${moment})
    order by e.at, e.id limit 1), 9223372036854775807)`,
  search: (typed: string): Arm[] => {
    if (number.test(typed)) return [{ sql: (values) => `r.id = ${values.add(typed)}::bigint` }];
    if (isUuid(typed))
      return [
        { sql: (values) => `r.request_id = ${values.add(typed.toLowerCase())}` },
        { sql: (values) => `${anyEntity} and r.record_id = ${values.add(typed)}::uuid` },
      ];
    return [
      { sql: (values) => `lower(r.reason) like lower(${values.add(`%${escapeLike(typed)}%`)})` },
    ];
  },
  served: [
    {
      sort: "r.id",
      fields: {
        request: true,
        actor: true,
        action: ["delete"],
        actorKind: ["key", "database"],
        entity: true,
      },
    },
  ],
  lookedUp: { record: ["any"], reason: ["starts", "contains"] },
} as const satisfies List<typeof auditFields, Entry>;

/** Plans each statement with its values, also those that were prepared. */
const plannedWithValues = <T>(db: Db, work: (db: Db) => Promise<T>) =>
  db.transaction().execute(async (transaction) => {
    await run(transaction, "set local plan_cache_mode = force_custom_plan");
    return work(transaction);
  });

export const findLog = async (db: Db, query: ListQuery, paging: Paging, reader: Holder) => {
  const find = (on: Db) => findPage(on, list, query, paging);
  // One reason can be that of a single entry or of nearly all. The index is right for the first, and reads every entry
  // for the second.
  const isByReason = query.q !== undefined || query.f.some(({ field }) => field === "reason");
  return mapPage(await (isByReason ? plannedWithValues(db, find) : find(db)), (entry) =>
    describe(entry, reader),
  );
};

const one = entries.with("where r.id = $1::bigint");

export const findEntry = (db: Db, id: string) => first(db, one, [id]);

/** A row of the exported log. Changes are written as they are stored. */
const line = z.object(Object.fromEntries(auditColumns.map((column) => [column, plain.nullable()])));

/** An export reads all rows anyway, so it searches everything that the history does, except names of fields. */
const searchAll = (typed: string): Arm[] =>
  isNumberOrId(typed)
    ? list.search(typed)
    : [{ sql: searchCondition({ typed, fields: [], types: [], recordIds: [] }) }];

export const logFile = {
  list: { ...list, search: searchAll },
  row: line.extend({ at: z.date(), changes: z.unknown() }),
  read: (entry: Entry, format: "csv" | "jsonl") => {
    const changes = changesBetween(entry.before, entry.after);
    const told = format === "csv" ? JSON.stringify(changes) : changes;
    return [{ ...entry, label: labelOf(entry), changes: told }];
  },
};

const findVerificationSql = statement(
  "audit.findVerification",
  `select (select max(id) from audit_entries) as "lastEntry", s.number::int as seal, s.sealed_at as "sealedAt",
     v.ended_at as "verifiedAt", v.last_entry as "upToEntry", v.broken_what as what, v.broken_number as number
   from (select) nothing
   left join lateral (select * from audit_seals order by number desc limit 1) s on true
   left join lateral (select * from audit_verifications order by id desc limit 1) v on true`,
);

/** By the fault that the database names. */
const faultMessages: Record<string, (number: string) => Message> = {
  "a redaction was altered": (number) =>
    message("audit_redaction_altered", "Redaction {number} was altered.", { number }),
  "a redaction was removed": (number) =>
    message("audit_redaction_removed", "Redaction {number} was removed.", { number }),
  "a removal was altered": (number) =>
    message("audit_removal_altered", "Removal {number} of old months was altered.", { number }),
  "a removal was removed": (number) =>
    message("audit_removal_removed", "The record of removal {number} was removed.", { number }),
  "a seal does not match its entries": (number) =>
    message("audit_seal_mismatch", "Seal {number} doesn't match its entries.", { number }),
  "a seal was removed": (number) =>
    message("audit_seal_removed", "Seal {number} was removed.", { number }),
  "an entry is in no seal": (number) =>
    message("audit_entry_unsealed", "Entry {number} isn't signed.", { number }),
  "an entry was altered": (number) =>
    message("audit_entry_altered", "Entry {number} was altered.", { number }),
  "an entry was removed": (number) =>
    message("audit_entry_removed", "Entry {number} was removed.", { number }),
};

export const faultMessage = ({ what, number }: Broken): Message =>
  faultMessages[what]?.(number) ??
  message("audit_fault_other", "Problem at number {number}.", { number });

/** How far the log is sealed, and the result of the last verification. */
export const findVerification = async (db: Db) => {
  const known = await first(db, findVerificationSql);
  const { lastEntry = null, seal, sealedAt, verifiedAt, upToEntry, what, number } = known ?? {};
  return {
    lastEntry,
    sealed: seal && sealedAt ? { seal, at: sealedAt } : null,
    verified:
      verifiedAt && upToEntry
        ? {
            at: verifiedAt,
            upToEntry,
            broken: what && number ? faultMessage({ what, number }) : null,
          }
        : null,
  };
};
