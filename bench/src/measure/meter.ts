import { readFileSync } from "node:fs";
import type { BenchDatabase } from "../setup/database.ts";

// What /proc counts in, on every Linux that Node runs on.
const tickUs = 10_000;

/** The processor time of a process so far, in user and in system. */
export const cpuOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program stands in parentheses and may hold spaces; the numbers come after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickUs;
};

/** In a container of its own the same number is another process here, or none. */
const isBackend = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") === "postgres\n";
  } catch {
    return false;
  }
};

/** Reads what PostgreSQL has spent for one client so far, by backend, of those that can be seen from here. */
export const openMeter = ({ query }: BenchDatabase) => ({
  backendsOf: async (applicationName: string) => {
    const rows = await query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and application_name = $1`,
      [applicationName],
    );
    const seen = rows.filter(({ pid }) => isBackend(pid));
    return new Map(seen.map(({ pid }) => [pid, cpuOf(pid)]));
  },
});
export type Meter = ReturnType<typeof openMeter>;

/** What the backends that were there all the time spent, or null where none was seen. */
export const spentBetween = (before: Map<number, number>, after: Map<number, number>) => {
  const stayed = [...after].filter(([pid]) => before.has(pid));
  if (stayed.length === 0) return null;
  return stayed.reduce((sum, [pid, spent]) => sum + spent - (before.get(pid) ?? 0), 0);
};
