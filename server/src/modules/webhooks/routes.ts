import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  resendFailed,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhookEndpoint,
  webhookEndpoint,
} from "@purser/contract/workspace/webhooks";
import type { FastifyInstance } from "fastify";
import { seal } from "#platform/auth/secrets.ts";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { locate, type Reach, Unreachable } from "#platform/outbound/targets.ts";
import {
  findDeliveries,
  findDelivery,
  findSent,
  resendFailedDeliveries,
  sendAgain,
  sendTest,
} from "./deliveryQueries.ts";
import {
  countEndpoints,
  findEndpoint,
  findEndpoints,
  insertEndpoint,
  lockEndpoint,
  removeEndpoint,
  replaceEndpoint,
  replaceSecret,
  setEndpointStatus,
} from "./queries.ts";
import { payloadOf, refusalToAdd, refusalToSend, refusalToSwitch } from "./rules.ts";
import { newWebhookSecret, ownerOf } from "./sign.ts";

const hourMs = 3_600_000;

const readEndpoint = async (db: Db, id: string, now: Date) =>
  existing(await findEndpoint(db, id, now), "webhookEndpoint");

const readLocked = async (db: Db, id: string, now: Date) =>
  existing(await lockEndpoint(db, id, now), "webhookEndpoint");

/** The URL to store, or a problem at its field. A host that doesn't resolve yet is accepted. */
const checkedUrl = async (source: string, reach: Reach) => {
  try {
    return (await locate(source, reach)).url.href;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (error.passes) return new URL(source).href;
    throw invalidAt("/url", error.detail);
  }
};

export const webhookRoutes = (app: FastifyInstance, reach: Reach) => {
  const { SECRET_KEYS: keys } = app.platform.config;

  serve(app, listWebhookEndpoints, async ({ db, now }) => ({
    items: await findEndpoints(db, now),
  }));

  serve(app, createWebhookEndpoint, async ({ db, body: { reason: _, ...details }, now }) => {
    const url = await checkedUrl(details.url, reach);
    refuse(refusalToAdd(await countEndpoints(db)));
    const secret = newWebhookSecret();
    const id = await insertEndpoint(db, { ...details, url }, (endpointId) =>
      seal(keys, secret, ownerOf(endpointId)),
    );
    return { ...(await readEndpoint(db, id, now)), secret };
  });

  serve(app, changeWebhookEndpoint, async ({ db, params: { id }, body, now, assertVersion }) => {
    const { reason: _, ...details } = body;
    assertVersion(await readLocked(db, id, now), webhookEndpoint);
    const url = await checkedUrl(details.url, reach);
    await replaceEndpoint(db, id, { ...details, url });
    return readEndpoint(db, id, now);
  });

  serve(app, rotateWebhookSecret, async ({ db, params: { id }, body, now, assertVersion }) => {
    assertVersion(await readLocked(db, id, now), webhookEndpoint);
    const secret = newWebhookSecret();
    const previousUntil = new Date(now.getTime() + body.keepHours * hourMs);
    await replaceSecret(db, id, { secret: seal(keys, secret, ownerOf(id)), previousUntil });
    return { ...(await readEndpoint(db, id, now)), secret };
  });

  const switches = [
    [disableWebhookEndpoint, "disabled"],
    [enableWebhookEndpoint, "active"],
  ] as const;
  for (const [endpoint, status] of switches)
    serve(app, endpoint, async ({ db, params: { id }, now, assertVersion }) => {
      const stored = assertVersion(await readLocked(db, id, now), webhookEndpoint);
      refuse(refusalToSwitch(stored, status));
      await setEndpointStatus(db, id, { status });
      return readEndpoint(db, id, now);
    });

  serve(app, deleteWebhookEndpoint, async ({ db, params: { id }, now, assertVersion }) => {
    assertVersion(await readLocked(db, id, now), webhookEndpoint);
    await removeEndpoint(db, id);
  });

  serve(app, testWebhookEndpoint, async ({ db, params: { id }, now }) => {
    refuse(refusalToSend(await readLocked(db, id, now)));
    return sendTest(db, id, now);
  });

  serve(app, resendFailed, async ({ db, params: { id }, body: { since }, now }) => {
    refuse(refusalToSend(await readLocked(db, id, now)));
    return { sent: await resendFailedDeliveries(db, id, { since, now }) };
  });
};

export const webhookLogRoutes = (app: FastifyInstance) => {
  serve(app, listWebhookDeliveries, ({ db, query, paging }) => findDeliveries(db, query, paging));

  serve(app, getWebhookDelivery, async ({ db, params: { id } }) => {
    const delivery = existing(await findDelivery(db, id), "webhookDelivery");
    const sent = existing(await findSent(db, id), "webhookDelivery");
    const latestAttempts = sent.latestAttempts.map((one) => ({ ...one, at: new Date(one.at) }));
    return { ...delivery, payload: payloadOf(sent), answer: sent.answer, latestAttempts };
  });

  serve(app, resendWebhookDelivery, async ({ db, params: { id }, now }) => {
    const { endpoint } = existing(await findDelivery(db, id), "webhookDelivery");
    refuse(refusalToSend(await readLocked(db, endpoint.id, now)));
    await sendAgain(db, id, now);
    return existing(await findDelivery(db, id), "webhookDelivery");
  });
};
