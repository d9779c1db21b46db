import { allows, roles } from "@purser/contract/auth/permissions";
import {
  assignAttention,
  attentionRecordsMax,
  listAssignees,
  listAttention,
  listAttentionRecords,
  snoozeAttention,
} from "@purser/contract/reports/attention";
import type { FastifyInstance } from "fastify";
import { serve } from "#platform/http/serve.ts";
import { zoneOf } from "#platform/settings.ts";
import { assign, findAttention, snooze } from "./attention.ts";
import { findMembers, findSnoozeEnd } from "./queries.ts";
import { findRecords, permissionFor } from "./recordQueries.ts";

/** What needs attention, who takes care of it, and until when it is snoozed. */
export const attentionRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(app, listAttention, async ({ db, query, session: { userId, role }, now }) => ({
    items: await findAttention(db, { userId, role, now }, query.of === "me"),
  }));

  serve(app, listAttentionRecords, async ({ db, query, session: { userId, role }, now }) => {
    const assigneeId = query.of === "me" ? userId : null;
    const found = await findRecords(db, query.kind, { userId, role, now }, { assigneeId });
    return {
      items: found.slice(0, attentionRecordsMax),
      isMore: found.length > attentionRecordsMax,
    };
  });

  serve(app, listAssignees, async ({ db, query: { kind } }) => {
    const able = roles.filter((role) => allows(role, permissionFor(kind)));
    const members = await findMembers(db, able);
    return { items: members.map(({ id, name }) => ({ id, name })) };
  });

  serve(app, assignAttention, ({ db, body, session, now }) => assign(db, body, { session, now }));

  serve(app, snoozeAttention, async ({ db, body: { until, ...seen }, session, now }) => {
    const end = until && (await findSnoozeEnd(db, until, now, await findZone(db)));
    return snooze(db, { ...seen, until: end }, { session, now });
  });
};
