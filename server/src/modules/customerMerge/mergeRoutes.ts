import { mergeUsers, previewMerge } from "@purser/contract/users/merge";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { copyNotes } from "../comments/queries.ts";
import {
  type findRecord,
  findVisible,
  lockRecords,
  readRecord,
  resolveUser,
} from "../entitlements/customerQueries.ts";
import { approveMove } from "../entitlements/grantApproval.ts";
import { transferBalance } from "../ledger/queries.ts";
import {
  addUse,
  closeRecord,
  countBehind,
  findHeldGrants,
  findRunning,
  lockHeldGrants,
  lockRunning,
  moveSubscriptions,
  shownGrant,
  storeTransfer,
} from "./queries.ts";
import { refusalOfSubscriptions, refusalToCombine, refusalToMerge } from "./rules.ts";

type Named = { id: string; name: string; email: string };

const customerOf = ({ id, name, email }: Named) => ({ id, name, email });

type Found = NonNullable<Awaited<ReturnType<typeof findRecord>>>;

/** Compares what both customers have, and why their records can't be merged. */
const compare = async (
  db: Db,
  { stays, goes, now }: { stays: Found; goes: Found; now: Date },
  { grantsOf, runningOf }: { grantsOf: typeof findHeldGrants; runningOf: typeof findRunning },
) => {
  const running = await runningOf(db, goes.id);
  const grants = await grantsOf(db, goes.id, now);
  const refusal =
    refusalToMerge(stays, goes) ??
    refusalOfSubscriptions(await findRunning(db, stays.id), running) ??
    refusalToCombine(stays, grants, await findHeldGrants(db, stays.id, now));
  return { running, grants, refusal };
};

export const mergeRoutes = (app: FastifyInstance) => {
  serve(app, previewMerge, async ({ db, params, body, now, session }) => {
    const stays = await readRecord(db, params.id, session);
    const meant = await resolveUser(db, body.other);
    const goes = meant && (await findVisible(db, meant.id, session));
    if (!goes)
      throw invalidAt(
        "/other",
        message("merge_customer_unknown", "Enter the email address or ID of a customer."),
      );
    const { running, grants, refusal } = await compare(
      db,
      { stays, goes, now },
      { grantsOf: findHeldGrants, runningOf: findRunning },
    );
    return {
      stays: customerOf(stays),
      goes: customerOf(goes),
      grants: grants.map(shownGrant),
      subscriptions: running.map(({ id, name, renewsAt }) => ({ id, name, renewsAt })),
      ...(await countBehind(db, goes.id)),
      refusal: refusal?.detail ?? null,
    };
  });

  serve(app, mergeUsers, async ({ db, params, body, now, session, requireApproval }) => {
    const ids = [params.id, body.otherId];
    for (const id of ids) await readRecord(db, id, session);
    const locked = await lockRecords(db, ids);
    const stays = existing(locked.get(params.id), "customer");
    const goes = existing(locked.get(body.otherId), "customer");
    const { running, grants, refusal } = await compare(
      db,
      { stays, goes, now },
      { grantsOf: lockHeldGrants, runningOf: lockRunning },
    );
    refuse(refusal, [stays.name, goes.name]);
    await approveMove(stays, { what: `Merge ${goes.name} into a record`, requireApproval });
    await moveSubscriptions(
      db,
      running.map(({ id }) => id),
      stays.id,
    );
    const moved = grants.map(({ id }) => id);
    await storeTransfer(db, { ids: moved, to: stays.id, now });
    await transferBalance(db, goes.id, stays.id);
    await addUse(db, goes.id, stays.id);
    await copyNotes(db, goes.id, stays.id);
    await closeRecord(db, goes.id, stays.id);
    const counts = { grants: grants.length, subscriptions: running.length };
    return { stays: customerOf(stays), goes: customerOf(goes), ...counts };
  });
};
