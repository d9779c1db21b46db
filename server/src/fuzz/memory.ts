import { isObject } from "./known.ts";

/** A record that exists: what a path needs to name it, and its version if it has one. */
export type Entry = { params: Record<string, string>; version: number };

type Place = { cursor: string; sort: string | undefined };

const valuesMax = 20;
const recordsMax = 25;
const versionIn = (value: Record<string, unknown>) =>
  typeof value["version"] === "number" ? value["version"] : 1;

/** What earlier answers told: so that requests name what exists, and what the server gave out. */
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

    /** Takes from an answer what later requests can use. */
    learn: (operation: string, sort: string | undefined, reply: unknown) => {
      if (!isObject(reply)) return;
      // What is already broken would look broken again wherever it is sent next.
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

/** The records in the answer of a list. */
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
