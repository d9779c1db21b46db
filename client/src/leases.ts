import { unknownCheck } from "./answers.ts";
import type { Asked } from "./checks.ts";
import type { Client } from "./client.ts";
import { isUnreachable, PurserError } from "./error.ts";
import { createLeaseStore, type Lease, type LeaseStorage, type LeaseStore } from "./leaseStore.ts";
import type { Answer, Check, Consumed, FeatureCode, Reservation } from "./types.ts";

type Use = { user: string; feature: string; id?: string };

export type Unsettled = { user: string; feature: string; amount: number; reason: string };

type LeaseOptions = {
  /** Without a connection, these features are consumed only from leases. */
  features: readonly FeatureCode[];
  storage: LeaseStorage;
  /**
   * How long Purser holds the amount after a lease has expired, so that the device can report what it used. By default
   * 43,200, half a day.
   */
  settleSeconds?: number;
  /** Called if used amounts are reported so late that they don't fit the limit any more. */
  onUnsettled?: (unsettled: Unsettled) => void;
};

type Reserved = { answer: Check; reservation: Reservation | null };

/** Another attempt would have the same result. */
const isRefusal = (error: unknown): error is PurserError =>
  error instanceof PurserError && [400, 404, 409].includes(error.status) && !isUnreachable(error);

const createSettling = (
  client: Client,
  { leases, change, remove }: LeaseStore,
  { settleSeconds = 43_200, onUnsettled }: LeaseOptions,
) => {
  const { send } = client.transport;
  const ping = ({ user, feature }: Pick<Lease, "user" | "feature">) =>
    send({ path: "/check", query: { user, feature } });

  const reserve = async (lease: Lease) => {
    const { id, user, feature, amount } = lease;
    const body = { id, user, feature, amount, seconds: lease.seconds + settleSeconds };
    const path = "/usage/reservations";
    try {
      const { answer, reservation } = await send<Reserved>({ method: "POST", path, body });
      if (reservation?.status === "open") change(lease, { reservation: reservation.id, answer });
      else remove(lease);
    } catch (error) {
      if (isRefusal(error)) remove(lease);
      throw error;
    }
  };

  const report = async (path: string, { used: amount, user, feature }: Lease) => {
    try {
      if (amount > 0) await send({ method: "POST", path: `${path}/confirm`, body: { amount } });
      else await send({ method: "POST", path: `${path}/release`, body: {} });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (amount > 0) onUnsettled?.({ user, feature, amount, reason: error.message });
    }
  };

  const settleOne = async (lease: Lease) => {
    // The reply was lost, so that only a repeated request tells the ID.
    if (lease.reservation === null) await reserve(lease);
    if (!leases.includes(lease)) return;
    const { reservation } = lease;
    change(lease, { isEnding: true });
    await report(`/usage/reservations/${reservation}`, lease);
    remove(lease);
  };

  /** Leases are settled one after the other, so that none is settled twice at once. */
  let settling: Promise<unknown> = Promise.resolve();
  const settleAll = (which: (lease: Lease) => boolean) => {
    const next = settling.then(async () => {
      const [first] = leases.filter(which);
      // Without a connection, a lease can be used on.
      if (first) await ping(first);
      for (const lease of leases.filter(which)) {
        await settleOne(lease);
        client.invalidate([lease.user]);
      }
    });
    settling = next.catch(() => undefined);
    return next;
  };

  return { ping, reserve, settleAll };
};

/** Checks and consumption of features that have leases. */
const createLeasedUse = (client: Client, store: LeaseStore) => {
  const { leases, now } = store;
  const leasesOf = (user: string, feature: string) =>
    leases.filter((lease) => lease.user === user && lease.feature === feature);
  const isUsable = ({ reservation, isEnding, since, seconds }: Lease) =>
    reservation !== null && !isEnding && now() < since + seconds * 1000;
  const usableOf = (user: string, feature: string) => leasesOf(user, feature).filter(isUsable);
  const leftOf = (user: string, feature: string) =>
    usableOf(user, feature).reduce((sum, { amount, used }) => sum + amount - used, 0);
  const findFor = (user: string, feature: string, amount: number) =>
    usableOf(user, feature).find((lease) => lease.amount - lease.used >= amount);
  /** IDs that Purser may have counted although its reply was lost. */
  const unknown = new Set<string>();

  const answerOf = (user: string, feature: string, allowed: boolean, base?: Check): Answer => {
    const remaining = leftOf(user, feature);
    const known = base ?? usableOf(user, feature).at(-1)?.answer;
    const refusal = remaining === 0 ? "limit reached" : "amount exceeds remaining";
    const reason = allowed ? "granted" : refusal;
    const blank = unknownCheck({ code: feature, kind: "metered" }, client.environment.now());
    return { ...blank, ...known, remaining, allowed, reason, source: "lease" };
  };

  /** Whether a lease has the amount, or had it when this use was first counted. */
  const take = (user: string, feature: string, amount: number, id: string | undefined) => {
    if (id !== undefined && leasesOf(user, feature).some(({ ids }) => ids.includes(id)))
      return true;
    const lease = findFor(user, feature, amount);
    if (!lease || (id !== undefined && unknown.has(id))) return false;
    const ids = id === undefined ? lease.ids : [...lease.ids, id];
    store.change(lease, { used: lease.used + amount, ids });
    client.invalidate([user]);
    return true;
  };

  const consumeOnline = async (use: Use & { amount: number }): Promise<Consumed> => {
    const { user, feature, amount, id = crypto.randomUUID() } = use;
    const body = { id, user, feature, amount };
    try {
      const sent = await client.transport.send<Check & Pick<Consumed, "result">>({
        method: "POST",
        path: "/usage/consume",
        body,
      });
      unknown.delete(id);
      client.invalidate([user]);
      return { ...sent, source: "server" };
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      unknown.add(id);
      return { ...answerOf(user, feature, false), result: "refused" };
    }
  };

  return {
    leftOf,
    check: async (user: string, feature: string, asked: Asked): Promise<Answer> => {
      const answer = await client.check(user, feature, asked);
      const isAnswered = answer.source === "server" || answer.source === "cache";
      const isLeft = findFor(user, feature, asked.amount ?? 1) !== undefined;
      if (isAnswered && (answer.allowed || !isLeft)) return answer;
      return answerOf(user, feature, isLeft, client.peek(user, feature));
    },
    consume: async (use: Use & { amount: number }): Promise<Consumed> => {
      const { user, feature, amount, id } = use;
      if (!take(user, feature, amount, id)) return consumeOnline(use);
      return { ...answerOf(user, feature, true, client.peek(user, feature)), result: "leased" };
    },
  };
};

/** A client that also consumes features from amounts that were reserved for this device. */
export const withLeases = (client: Client, options: LeaseOptions) => {
  const store = createLeaseStore(client, options.storage);
  const { ping, reserve, settleAll } = createSettling(client, store, options);
  const leased = createLeasedUse(client, store);
  const isLeased = (feature: string) => (options.features as readonly string[]).includes(feature);

  const check = <Code extends FeatureCode>(user: string, feature: Code, asked: Asked = {}) =>
    (isLeased(feature)
      ? leased.check(user, feature, asked)
      : client.check(user, feature, asked)) as Promise<Answer<Code>>;

  return {
    ...client,
    check,
    isAllowed: async (user: string, feature: FeatureCode, asked: Asked = {}) =>
      (await check(user, feature, asked)).allowed,
    consume: <Code extends FeatureCode>(
      user: string,
      feature: Code,
      { amount = 1, id }: { amount?: number; id?: string } = {},
    ) => {
      const given = id === undefined ? { amount } : { amount, id };
      return (
        isLeased(feature)
          ? leased.consume({ user, feature, ...given })
          : client.consume(user, feature, given)
      ) as Promise<Consumed<Code>>;
    },
    /**
     * Reserves an amount that this device can use without a connection for some seconds. An earlier lease of the same
     * customer and feature is settled first. Returns the amount, or 0 if Purser refuses it.
     */
    lease: async (
      user: string,
      feature: FeatureCode,
      { amount, seconds }: { amount: number; seconds: number },
    ) => {
      if (!isLeased(feature)) throw new Error(`Add ${feature} to the features with leases.`);
      await ping({ user, feature });
      await settleAll((lease) => lease.user === user && lease.feature === feature);
      const lease: Lease = {
        id: crypto.randomUUID(),
        user,
        feature,
        amount,
        seconds,
        reservation: null,
        since: store.now(),
        used: 0,
        ids: [],
        isEnding: false,
        answer: null,
      };
      store.add(lease);
      await reserve(lease);
      client.invalidate([user]);
      return store.leases.includes(lease) ? amount : 0;
    },
    /** What is left of leases. */
    leased: (user: string, feature: FeatureCode) => leased.leftOf(user, feature),
    /** Counts what was used of all leases, and releases the rest. Rejects if Purser can't be reached. */
    settle: () => settleAll(() => true),
  };
};
