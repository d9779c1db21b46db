import { readFileSync } from "node:fs";
import type { BenchDatabase } from "../setup/database.ts";

// The unit of /proc/<pid>/stat.
const tickUs = 10_000;

/** The CPU time of a process so far, user and system, in microseconds. */
export const cpuOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program name is in parentheses and can contain spaces, so parse what follows it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickUs;
};

/** The most memory that a process has used so far, in MB, or 0 if it has ended. */
export const peakMbOf = (pid: number) => {
  try {
    const [, kB] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kB ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** If PostgreSQL runs in a container, its PIDs mean other processes here, or none. */
const isBackend = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8") === "postgres\n";
  } catch {
    return false;
  }
};

/** Reads the CPU time of the PostgreSQL backends of one application, if they run on this machine. */
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

/** The CPU time spent by backends that exist in both readings, or null without any. */
export const spentBetween = (before: Map<number, number>, after: Map<number, number>) => {
  const stayed = [...after].filter(([pid]) => before.has(pid));
  if (stayed.length === 0) return null;
  return stayed.reduce((sum, [pid, spent]) => sum + spent - (before.get(pid) ?? 0), 0);
};
