import { answerFrom } from "./answers.ts";
import type { Checks, Parts } from "./checks.ts";
import { isUnreachable } from "./error.ts";
import type { Answer, Check, Consumed, Environment, FeatureCode, Reservation } from "./types.ts";

export type Use = { id?: string; amount?: number };

export const newId = () => crypto.randomUUID();

/** Usage that Purser counts before it answers. */
export const createCounting = (
  { transport: { send }, cache, buffer }: Parts,
  { withoutServer, refuse }: Checks,
  { now, elapsed }: Environment,
) => {
  /** What was allowed earlier is counted earlier, so that it isn't refused. */
  const sendEarlier = async (user: string, feature: string) => {
    if (buffer.amountOf(user, feature) > 0) await buffer.flush();
  };

  /** A repeated request has the same reply. */
  const settle = (reservationId: string, how: string, body: object) =>
    send<Reservation>({
      method: "POST",
      path: `/usage/reservations/${reservationId}/${how}`,
      body,
    }).catch(refuse);

  return {
    /** Checks a feature and counts its usage in one call. If the answer is no, nothing is counted. */
    consume: async <Code extends FeatureCode>(
      user: string,
      feature: Code,
      { amount = 1, id = newId() }: Use = {},
    ): Promise<Consumed<Code>> => {
      const body = { id, user, feature, amount };
      try {
        await sendEarlier(user, feature);
        const at = elapsed();
        const { result, ...check } = await send<Check & { result: "recorded" }>({
          method: "POST",
          path: "/usage/consume",
          body,
        });
        // A refusal of more than one says nothing about one.
        if (check.allowed || amount === 1) cache.store(user, [check], at);
        else cache.invalidate([user]);
        return { ...answerFrom(check, "server"), result } as Consumed<Code>;
      } catch (error) {
        if (!isUnreachable(error)) return refuse(error);
        const answer = withoutServer(user, feature, amount) as Answer<Code>;
        const isRepeated = buffer.has(id);
        const isKept =
          isRepeated ||
          (answer.allowed && buffer.add({ ...body, at: new Date(now()).toISOString() }));
        if (!isKept) return { ...answer, allowed: false, result: "refused" };
        const { used, remaining } = withoutServer(user, feature, amount);
        return { ...answer, allowed: true, used, remaining, result: "buffered" };
      }
    },
    /** Reserves an amount for some time. The reservation is null if the answer is no. */
    reserve: async (
      user: string,
      feature: FeatureCode,
      { amount = 1, id = newId(), seconds }: Use & { seconds?: number } = {},
    ) => {
      try {
        await sendEarlier(user, feature);
        return await send<{ answer: Check; reservation: Reservation | null }>({
          method: "POST",
          path: "/usage/reservations",
          body: { id, user, feature, amount, ...(seconds !== undefined && { seconds }) },
        });
      } catch (error) {
        return refuse(error);
      }
    },
    confirm: (reservationId: string, amount?: number) =>
      settle(reservationId, "confirm", amount === undefined ? {} : { amount }),
    release: (reservationId: string) => settle(reservationId, "release", {}),
  };
};
