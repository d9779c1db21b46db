import type { Db } from "../../db/db.ts";
import type { Turns } from "../../turns.ts";
import { findSession, keepAlive, type Session } from "./sessions.ts";

/** Where sessions are found. */
export type Sessions = {
  /** The session of a request, which extends its idle time. */
  find: (token: string, now: Date) => Promise<Session | null>;
  isActive: (token: string, now: Date) => Promise<boolean>;
};

type Settings = {
  db: Db;
  /** Lookups in progress by session, so that many requests of one don't delay those of others. */
  turns: Turns;
};

export const openSessions = ({ db, turns }: Settings): Sessions => ({
  find: async (token, now) => {
    const leave = await turns.enter(token);
    try {
      const session = await findSession(db, token, now);
      if (session) await keepAlive(db, session, now);
      return session;
    } finally {
      leave();
    }
  },
  isActive: async (token, now) => (await findSession(db, token, now)) !== null,
});
