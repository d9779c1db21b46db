import { type Endpoint, poolOf } from "@purser/contract/http/endpoint";
import type { FastifyReply, FastifyRequest } from "fastify";
import { dbForCall } from "#platform/db/callDb.ts";
import type { Db } from "#platform/db/db.ts";
import type { Pools } from "#platform/db/pools.ts";
import { callerGone } from "./callerGone.ts";

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/**
 * The handle for the statements of a call. A user or an API key has few of them in progress at once, in all sessions together. Reads
 * are canceled if the caller disconnects; a change is finished, so that repeating it returns its reply.
 */
export const dbOfCall = (pools: Pools, endpoint: Endpoint, { request, reply }: Exchange): Db => {
  const name = poolOf(endpoint);
  const caller = request.session?.userId ?? request.callingKey?.id;
  if (name === "checks" || caller === undefined) return pools[name].db;
  const signal = name === "reads" ? callerGone(reply) : undefined;
  const enter = () => pools.turns[name].enter(caller, signal);
  return dbForCall(pools[name].pool, { enter, signal });
};

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs one exact count of a user after another. */
export const countsInTurn =
  ({ counts }: Pools, { request, reply }: Exchange): InTurn =>
  async (work) => {
    const leave = await counts.enter(request.session?.userId ?? "", callerGone(reply));
    return work().finally(leave);
  };
