import { setMaxListeners } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

const callers = new WeakMap<ServerResponse, AbortController>();

const callerOf = ({ raw }: FastifyReply) => {
  const known = callers.get(raw);
  if (known) return known;
  const caller = new AbortController();
  // The data of a page is read by many statements.
  setMaxListeners(0, caller.signal);
  const onClose = () => {
    if (!raw.writableFinished) caller.abort();
  };
  // The caller can disconnect before this, for example while the session is looked up.
  if (raw.closed) onClose();
  else raw.once("close", onClose);
  callers.set(raw, caller);
  return caller;
};

/** Aborts when the caller disconnects before the reply. */
export const callerGone = (reply: FastifyReply) => callerOf(reply).signal;

/** Cancels the reads of a call that was refused meanwhile. */
export const cancelReads = ({ raw }: FastifyReply) => callers.get(raw)?.abort();
