import { packageReply } from "@purser/contract/packages/fields";
import {
  type Impact,
  impact as impactReply,
  publishPackage,
  unschedulePackage,
} from "@purser/contract/packages/publishing";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { impactOf } from "../impact/impactRoutes.ts";
import { unchanged } from "../impact/preview.ts";
import { rollOut } from "../rollouts/rolloutJob.ts";
import { readLocked, readPackage } from "../routes.ts";
import { refusalOfDraft } from "../rules.ts";
import { findPriceChange, type Publishing, priceChangeApproval } from "./approval.ts";
import { publishScheduled } from "./jobs.ts";
import { publishVersion, scheduleDraft, unscheduleVersion } from "./publishQueries.ts";

const assertTimes = ({ publishAt, rolloutAt }: Publishing, now: Date) => {
  if (publishAt && publishAt <= now)
    throw invalidAt("/publishAt", message("date_past", "Choose a date and time in the future."));
  if (rolloutAt && rolloutAt <= (publishAt ?? now))
    throw invalidAt(
      "/rolloutAt",
      message("rollout_before_publishing", "Choose a time after the version is published."),
    );
};

/** The current impact must equal the one that the user saw before publishing. */
const assertShown = (current: Impact, hashSeen: string) => {
  const [blockingIssue] = current.blockingIssues;
  if (blockingIssue) throw new Problem("wrong_state", blockingIssue);
  if (current.hash !== hashSeen)
    throw new Problem(
      "impact_changed",
      message(
        "publish_impact_changed",
        "The draft or its subscribers changed. Review the new impact and publish again.",
      ),
      { current: z.encode(impactReply, current) },
    );
};

export const publishRoutes = (app: FastifyInstance) => {
  serve(app, publishPackage, async (call) => {
    const { db, params, body, now, session, enqueue, requireApproval } = call;
    const { id } = params;
    const { draftId, note, rollout: mode, rolloutAt, publishAt } = body;
    const stored = await readLocked(db, id);
    refuse(refusalOfDraft(stored, draftId));
    assertTimes(body, now);
    const impact = await impactOf(db, stored, unchanged, now);
    assertShown(impact, body.impact);
    const change = await findPriceChange(db, stored, now);
    if (change)
      await requireApproval("price", priceChangeApproval(stored, impact, { ...body, ...change }));
    const plan = { mode, at: rolloutAt?.toISOString() ?? null };
    const by = session.userId;
    if (publishAt) {
      if (stored.scheduled)
        throw new Problem(
          "wrong_state",
          message(
            "version_already_scheduled",
            "Version {number} is already scheduled. Unschedule it first.",
            { number: stored.scheduled.number },
          ),
        );
      await scheduleDraft(db, draftId, { note, plan, by, at: publishAt });
      await enqueue(publishScheduled, { versionId: draftId }, publishAt);
    } else {
      const rollout = await publishVersion(db, stored, draftId, { note, plan, by, now });
      if (rollout) await enqueue(rollOut, { rolloutId: rollout.id }, rollout.startsAt);
    }
    return readPackage(db, id);
  });

  serve(app, unschedulePackage, async ({ db, params: { id }, assertVersion }) => {
    const { scheduled, draft } = assertVersion(await readLocked(db, id), packageReply);
    if (!scheduled)
      throw new Problem(
        "wrong_state",
        message("package_not_scheduled", "No version of this package is scheduled."),
      );
    if (draft)
      throw new Problem(
        "wrong_state",
        message(
          "unschedule_draft_exists",
          "Version {number} is already a draft. Discard it first.",
          { number: draft.number },
        ),
      );
    await unscheduleVersion(db, scheduled.id);
    return readPackage(db, id);
  });
};
