import type { Client } from "./client.ts";
import type { Check } from "./types.ts";

/** Keeps leases over a restart, such as `localStorage` or a file. Each process needs one of its own. */
export type LeaseStorage = {
  getItem: (name: string) => string | null;
  setItem: (name: string, value: string) => void;
};

export type Lease = {
  /** The ID of the request, so that a repeated one reserves nothing more. */
  id: string;
  user: string;
  feature: string;
  amount: number;
  seconds: number;
  /** Null until Purser has replied. */
  reservation: string | null;
  /** When it was requested, by the clock of this machine. */
  since: number;
  used: number;
  /** IDs that the app gave, so that a repeated use is counted once. */
  ids: string[];
  /** From here on its used amount doesn't change any more. */
  isEnding: boolean;
  /** The answer without the lease. */
  answer: Check | null;
};

/** The latest time that was seen, so that turning the clock back doesn't extend a lease. */
type Stored = { leases: Lease[]; seenAt: number };

const place = "purser-leases";

export const createLeaseStore = (client: Client, storage: LeaseStorage) => {
  const { environment } = client;
  const started = environment.elapsed();
  const text = storage.getItem(place);
  const { leases, seenAt }: Stored = text === null ? { leases: [], seenAt: 0 } : JSON.parse(text);
  const startedAt = Math.max(seenAt, environment.now());
  /** Goes on by the clock that never jumps, and never back behind what an earlier process has seen. */
  const now = () => startedAt + environment.elapsed() - started;
  const save = () => storage.setItem(place, JSON.stringify({ leases, seenAt: now() }));
  return {
    leases,
    now,
    save,
    /** Changes a lease only if that is stored. */
    change: (lease: Lease, changes: Partial<Lease>) => {
      const before = { ...lease };
      Object.assign(lease, changes);
      try {
        save();
      } catch (error) {
        Object.assign(lease, before);
        throw error;
      }
    },
    add: (lease: Lease) => {
      leases.push(lease);
      try {
        save();
      } catch (error) {
        leases.pop();
        throw error;
      }
    },
    remove: (lease: Lease) => {
      leases.splice(leases.indexOf(lease), 1);
      save();
    },
  };
};
export type LeaseStore = ReturnType<typeof createLeaseStore>;
