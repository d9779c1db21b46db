import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { LeaseStorage } from "./leaseStore.ts";
import type { UsageEvent, UsageStorage } from "./types.ts";

type Line = { add: UsageEvent } | { remove: string[] };

/** A process that ended while it wrote leaves an incomplete line. */
const parseLine = (line: string): Line | null => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

/** The events of the file that weren't sent. */
const readEvents = (file: string) => {
  const events = new Map<string, UsageEvent>();
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  for (const line of lines.map(parseLine)) {
    if (!line) continue;
    if ("add" in line) events.set(line.add.id, line.add);
    else for (const id of line.remove) events.delete(id);
  }
  return events;
};

/**
 * Keeps unsent usage in a file, so that it survives the end of the process. Each process needs a file of its own.
 */
export const fileStorage = (file: string): UsageStorage => {
  let waiting = 0;
  /** Whether the last line may be incomplete. What follows it then needs a line of its own. */
  let isCut = false;
  const write = (line: Line) => {
    const start = isCut ? "\n" : "";
    isCut = true;
    appendFileSync(file, `${start}${JSON.stringify(line)}\n`);
    isCut = false;
  };
  const rewrite = (events: readonly UsageEvent[]) => {
    // Renamed, so that the file is complete at any time.
    writeFileSync(`${file}.new`, events.map((add) => `${JSON.stringify({ add })}\n`).join(""));
    renameSync(`${file}.new`, file);
    isCut = false;
  };
  return {
    load: () => {
      mkdirSync(dirname(file), { recursive: true });
      const events = [...readEvents(file).values()];
      try {
        rewrite(events);
      } catch {
        // A full disk doesn't keep an app from starting. The file has all events already.
        isCut = true;
      }
      waiting = events.length;
      return events;
    },
    add: (event) => {
      waiting += 1;
      write({ add: event });
    },
    remove: (ids) => {
      waiting -= ids.length;
      if (waiting === 0) rewrite([]);
      else write({ remove: [...ids] });
    },
  };
};

/** Keeps leases or snapshots in a file. Each process needs a file of its own. */
export const fileItems = (file: string): LeaseStorage => {
  const items: Record<string, string> = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : {};
  return {
    getItem: (name) => items[name] ?? null,
    setItem: (name, value) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, JSON.stringify({ ...items, [name]: value }));
      renameSync(`${file}.new`, file);
      items[name] = value;
    },
  };
};
