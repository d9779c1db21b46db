import { isObject } from "./generate/known.ts";

/** An existing record with its path parameters and version. */
export type Entry = { params: Record<string, string>; version: number };

type Place = { cursor: string; sort: string | undefined };

const valuesMax = 20;
const recordsMax = 25;
const versionIn = (value: Record<string, unknown>) =>
  typeof value["version"] === "number" ? value["version"] : 1;

/** Values from earlier responses, so that requests can use existing records, tokens and cursors. */
export const createMemory = () => {
  const values = new Map<string, string[]>();
  const records = new Map<string, Entry[]>();
  const cursors = new Map<string, Place[]>();

  const keep = <T>(map: Map<string, T[]>, name: string, value: T, max = valuesMax) => {
    map.set(name, [value, ...(map.get(name) ?? [])].slice(0, max));
  };

  const learnVersion = (record: unknown) => {
    if (!isObject(record) || !("version" in record)) return;
    for (const entry of [...records.values()].flat())
      if (Object.values(entry.params).at(-1) === record["id"]) entry.version = versionIn(record);
  };

  const learnCursor = (operation: string, sort: string | undefined, cursor: unknown) => {
    if (typeof cursor === "string") keep(cursors, operation, { cursor, sort });
  };

  return {
    values: (name: string) => values.get(name) ?? [],
    records: (template: string) => records.get(template) ?? [],
    cursors: (operation: string) => cursors.get(operation) ?? [],
    replaceRecords: (template: string, entries: Entry[]) =>
      void records.set(template, entries.slice(0, recordsMax)),
    keepValue: (name: string, value: string) => keep(values, name, value),

    learn: (operation: string, sort: string | undefined, reply: unknown) => {
      if (!isObject(reply)) return;
      // A value with U+FFFD would be reported again in every request that sends it.
      for (const [name, value] of Object.entries(reply))
        if (typeof value === "string" && !value.includes("\ufffd")) keep(values, name, value);
      learnCursor(operation, sort, reply["next"]);
      learnCursor(operation, sort, reply["previous"]);
      learnVersion(reply);
      learnVersion(reply["current"]);
    },
  };
};
export type Memory = ReturnType<typeof createMemory>;

export const entriesIn = (reply: unknown, parent: Entry["params"], name: string): Entry[] => {
  const items = isObject(reply) && Array.isArray(reply["items"]) ? reply["items"] : [];
  return items
    .filter(isObject)
    .filter((item) => typeof item["id"] === "string")
    .map((item) => ({
      params: { ...parent, [name]: String(item["id"]) },
      version: versionIn(item),
    }));
};
