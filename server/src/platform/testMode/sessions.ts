import type { Sessions } from "../auth/sessions/lookUp.ts";
import type { Session } from "../auth/sessions/sessions.ts";
import type { TestClock } from "./clock.ts";
import type { Copies } from "./copies.ts";

const later = (at: Date, ms: number) => new Date(at.getTime() + ms);
const laterOrNull = (at: Date | null, ms: number) => at && later(at, ms);

/** The session as if it had been started by the clock of test mode, with which its times are compared. */
const shifted = (session: Session, ms: number): Session => ({
  ...session,
  createdAt: later(session.createdAt, ms),
  lastSeenAt: later(session.lastSeenAt, ms),
  provenAt: laterOrNull(session.provenAt, ms),
  passkeyRequiredFrom: laterOrNull(session.passkeyRequiredFrom, ms),
  twoFactorDueAt: laterOrNull(session.twoFactorDueAt, ms),
});

const originals = new WeakMap<Session, Session>();

/** The session with the times of live, for what live answers. */
export const sessionInLive = (session: Session) => originals.get(session) ?? session;

type Settings = { live: { sessions: Sessions; now: () => Date }; copies: Copies; clock: TestClock };

/** The sessions of live, which also decide in test mode. Its own database has none. */
export const sessionsOfLive = ({ live, copies, clock }: Settings): Sessions => ({
  find: async (token) => {
    const session = await live.sessions.find(token, live.now());
    if (!session) return null;
    await copies.ensure(session);
    const moved = shifted(session, clock.aheadMs());
    originals.set(moved, session);
    return moved;
  },
  isActive: (token) => live.sessions.isActive(token, live.now()),
});
