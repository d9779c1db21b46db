import { startPollers } from "#platform/jobs/pollers.ts";
import { stepsOf } from "#platform/jobs/work.ts";
import { reachOf } from "#platform/outbound/targets.ts";
import { patiently } from "../../../patience.testing.ts";
import { atEnd } from "../../../testing.ts";
import { deliverWebhooks } from "../deliver.ts";
import { hooksIn, productFor, startReceiver } from "./testing.ts";

export const waiting = { timeout: patiently(20_000), interval: 20 };

/** The product with its own receiver. `deliver` starts a worker that looks for events every 50 ms. */
export const productWithReceiver = async () => {
  const receiver = await startReceiver();
  const product = await productFor(receiver);
  const { config, platform } = product;
  const { db, log, now, queues, announcements } = platform;
  const deliver = (retryDelaysMs?: number[]) => {
    const poller = deliverWebhooks({
      reach: reachOf(config),
      keys: config.SECRET_KEYS,
      ...(retryDelaysMs && { retryDelaysMs }),
    });
    const stepOf = stepsOf(queues, { db, announce: announcements.announce });
    const stop = startPollers([{ ...poller, everyMs: 50 }], { db, log, now, stepOf });
    atEnd(stop);
    return stop;
  };
  return { receiver, product, deliver, ...(await hooksIn(product)) };
};

export const idsOf = (arrived: { headers: Record<string, string> }[]) =>
  arrived.map(({ headers }) => headers["webhook-id"]);
