import { randomInt } from "node:crypto";
import { plain } from "@purser/contract/fields/text";
import { refusalOfValue } from "@purser/contract/fields/values";
import { addCodes, exportCodes } from "@purser/contract/promotions/codes";
import {
  archivePromotion,
  changePromotion,
  countPromotions,
  createPromotion,
  deletePromotion,
  exportPromotions,
  extendPromotion,
  getPromotion,
  getPromotionActivity,
  getPromotionCustomers,
  getPromotionResults,
  listOverlapping,
  listPromotions,
  type Promotion,
  type PromotionDetails,
  pausePromotion,
  previewBulkPromotions,
  promotionReply,
  publishPromotion,
  restorePromotion,
  resumePromotion,
  shortenPromotion,
  startBulkPromotions,
  startPromotionsExport,
} from "@purser/contract/promotions/endpoints";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { findApp } from "#modules/apps/queries.ts";
import { findFeature } from "#modules/features/queries.ts";
import { findActivity } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import {
  existing,
  fieldError,
  invalidAt,
  Problem,
  type Refusal,
  refuse,
} from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveExport, serveFile } from "#platform/lists/export.ts";
import type { AnyList, BulkAction } from "#platform/lists/jobs/sources.ts";
import { serveBulkJobs, serveExportJob } from "#platform/lists/jobs/start.ts";
import { message, ruleMessage } from "#platform/messages.ts";
import { givesMore, promotionApproval } from "./approval.ts";
import { generateCode, invalidCode, normalizeCode } from "./codes.ts";
import {
  actableState,
  codesStatement,
  countPromotionsByStatus,
  findCustomersOf,
  findOverlapping,
  findPackageNames,
  findPromotion,
  findPromotions,
  findResults,
  findUnknownEmails,
  insertCodes,
  lockPromotion,
  promotionList,
  removePromotion,
  setMoments,
  writtenEnd,
} from "./queries.ts";
import {
  lockedFieldsOf,
  loweredLimitsOf,
  refusalToAddCodes,
  refusalToArchive,
  refusalToDelete,
  refusalToExtend,
  refusalToPause,
  refusalToPublish,
  refusalToRestore,
  refusalToResume,
  refusalToShorten,
} from "./rules.ts";
import { insertPromotion, replacePromotion } from "./saveQueries.ts";

const readPromotion = async (db: Db, id: string) =>
  existing(await findPromotion(db, id), "promotion");

const readLocked = async (db: Db, id: string) => existing(await lockPromotion(db, id), "promotion");

/** Checks values against the database. */
const assertFits = async (db: Db, details: PromotionDetails) => {
  const { featureId, value, code, customers } = details;
  if (featureId !== null && value !== null) {
    const feature = await findFeature(db, featureId);
    if (feature?.status !== "active")
      throw invalidAt("/featureId", message("feature_inactive", "Choose an active feature."));
    const app = await findApp(db, feature.app.id);
    if (app?.status === "archived")
      throw invalidAt(
        "/featureId",
        message(
          "feature_app_archived",
          "{app} is archived. Restore it or choose a feature of another app.",
          { app: app.name },
        ),
      );
    const complaint = refusalOfValue(feature, value);
    if (complaint !== null) throw invalidAt("/value", ruleMessage(complaint));
  }
  if (code !== null && normalizeCode(code) === null) throw invalidAt("/code", invalidCode);
  const [unknown] = await findUnknownEmails(db, customers);
  if (unknown !== undefined)
    throw invalidAt(
      `/customers/${customers.indexOf(unknown)}`,
      message("customer_email_unknown", "No customer has the email address {email}.", {
        email: unknown,
      }),
    );
};

const fieldLocked = message(
  "promotion_field_frozen",
  "This can't be changed after the first redemption.",
);
const limitLowered = message(
  "promotion_limit_frozen",
  "This limit can only be increased after the first redemption.",
);

/** Refuses changes that would affect customers who already redeemed the promotion. */
const assertUnlocked = (stored: Promotion, given: PromotionDetails) => {
  if (!stored.isLocked) return;
  const errors = [
    ...lockedFieldsOf(stored, given).map((field) => fieldError(`/${field}`, fieldLocked)),
    ...loweredLimitsOf(stored, given).map((field) => fieldError(`/${field}`, limitLowered)),
  ];
  if (errors.length > 0)
    throw new Problem(
      "frozen",
      message(
        "promotion_frozen",
        "This promotion was already redeemed. Its discount, targets, audience and start date can't be changed, and limits can only be increased. Create a copy to offer something else.",
      ),
      { errors },
    );
};

const actions = [
  {
    endpoint: publishPromotion,
    refusal: refusalToPublish,
    moments: (now: Date) => ({ publishedAt: now }),
  },
  {
    endpoint: pausePromotion,
    refusal: refusalToPause,
    moments: (now: Date) => ({ pausedAt: now }),
  },
  { endpoint: resumePromotion, refusal: refusalToResume, moments: () => ({ pausedAt: null }) },
  {
    endpoint: archivePromotion,
    refusal: refusalToArchive,
    moments: (now: Date) => ({ archivedAt: now }),
  },
  {
    endpoint: restorePromotion,
    refusal: refusalToRestore,
    // A restored promotion is paused, so that it is reviewed before buyers can redeem it.
    moments: (now: Date) => ({ archivedAt: null, pausedAt: now }),
  },
] as const;

/** Changes of the end date only, which leave everything else as it is. */
const endDateRoutes = (app: FastifyInstance) => {
  serve(app, extendPromotion, async (call) => {
    const { db, params, body, now, assertVersion, requireApproval } = call;
    const stored = assertVersion(await readLocked(db, params.id), promotionReply);
    refuse(refusalToExtend(stored, body.endsAt, now));
    if (stored.status !== "draft") {
      const packages = stored.packages.map(({ name }) => name);
      const terms = { ...stored, endsAt: body.endsAt };
      await requireApproval(
        "price",
        promotionApproval(params.id, terms, { what: "Change", packages }),
      );
    }
    await setMoments(db, params.id, { endsAt: body.endsAt });
    return readPromotion(db, params.id);
  });

  serve(app, shortenPromotion, async ({ db, params: { id }, body, assertVersion }) => {
    const stored = assertVersion(await readLocked(db, id), promotionReply);
    refuse(refusalToShorten(stored, body.endsAt));
    await setMoments(db, id, { endsAt: body.endsAt });
    return readPromotion(db, id);
  });
};

const bulkRefusals: Partial<Record<BulkAction, (promotion: Promotion) => Refusal | null>> = {
  pause: refusalToPause,
  resume: refusalToResume,
  archive: refusalToArchive,
  restore: refusalToRestore,
};

const actionRoutes = (app: FastifyInstance) => {
  for (const { endpoint, refusal, moments } of actions)
    serve(app, endpoint, async ({ db, params: { id }, now, assertVersion, requireApproval }) => {
      const stored = assertVersion(await readLocked(db, id), promotionReply);
      refuse(refusal(stored));
      if (endpoint === publishPromotion) {
        const packages = stored.packages.map(({ name }) => name);
        await requireApproval(
          "price",
          promotionApproval(id, stored, { what: "Publish", packages }),
        );
      }
      await setMoments(db, id, moments(now));
      return readPromotion(db, id);
    });
};

/** What is done with all promotions that match a filter. */
const promotionListJobs = (app: FastifyInstance) => {
  const file = { name: "promotions" as const, list: promotionList, row: promotionReply };
  serveExport(app, exportPromotions, file);
  serveExportJob(app, startPromotionsExport, file);

  serveBulkJobs(app, "promotions", {
    start: startBulkPromotions,
    preview: previewBulkPromotions,
    listOf: () => promotionList as unknown as AnyList,
    actions: {
      pause: { endpoint: pausePromotion, undo: "resume", unchanged: ["promotion_not_pausable"] },
      resume: { endpoint: resumePromotion, undo: "pause", unchanged: ["promotion_not_paused"] },
      extend: {
        endpoint: extendPromotion,
        undo: "shorten",
        given: ["endsAt"],
        remembers: { endsAt: writtenEnd },
        unchanged: ["promotion_ends_later", "promotion_endless"],
      },
      shorten: { endpoint: shortenPromotion, undo: null, unchanged: ["promotion_ends_sooner"] },
      archive: {
        endpoint: archivePromotion,
        undo: "restore",
        unchanged: ["promotion_already_archived"],
      },
      restore: { endpoint: restorePromotion, undo: null, unchanged: ["promotion_not_archived"] },
    },
    rules: {
      state: actableState,
      refusalOf: (state: Promotion, action, { given, now }) =>
        action === "extend"
          ? refusalToExtend(state, given["endsAt"] as Date, now)
          : (bulkRefusals[action]?.(state) ?? null),
    },
  });
};

export const promotionRoutes = (app: FastifyInstance) => {
  serve(app, listPromotions, ({ db, query, paging }) => findPromotions(db, query, paging));

  serve(app, countPromotions, ({ db }) => countPromotionsByStatus(db));

  promotionListJobs(app);

  serve(app, listOverlapping, async ({ db, query }) => ({
    items: await findOverlapping(db, query),
  }));

  serve(app, getPromotion, ({ db, params: { id } }) => readPromotion(db, id));

  serve(app, getPromotionCustomers, async ({ db, params: { id } }) => {
    await readPromotion(db, id);
    return { items: await findCustomersOf(db, id) };
  });

  serve(app, getPromotionResults, async ({ db, params: { id } }) => {
    await readPromotion(db, id);
    return findResults(db, id);
  });

  serve(app, createPromotion, async ({ db, body: { reason: _, ...details } }) => {
    await assertFits(db, details);
    return readPromotion(db, await insertPromotion(db, details));
  });

  serve(app, changePromotion, async (call) => {
    const { db, params, body, now, assertVersion, requireApproval } = call;
    const { id } = params;
    const { reason: _, ...details } = body;
    const stored = assertVersion(await readLocked(db, id), promotionReply);
    assertUnlocked(stored, details);
    await assertFits(db, details);
    if (stored.status !== "draft" && givesMore(stored, details, await findCustomersOf(db, id))) {
      const packages = await findPackageNames(db, details.packageIds);
      await requireApproval("price", promotionApproval(id, details, { what: "Change", packages }));
    }
    await replacePromotion(db, id, details, now);
    return readPromotion(db, id);
  });

  actionRoutes(app);
  endDateRoutes(app);

  serve(app, deletePromotion, async ({ db, params: { id }, assertVersion }) => {
    refuse(refusalToDelete(assertVersion(await readLocked(db, id), promotionReply)));
    await removePromotion(db, id);
  });

  serve(app, getPromotionActivity, async ({ db, params: { id }, query: { after }, session }) => {
    const records = [
      "promotions",
      "promotion_amounts",
      "promotion_packages",
      "promotion_people",
      "promotion_codes",
    ];
    const activity = await findActivity(
      db,
      { records: records.map((entity) => ({ entity, id })), after },
      session,
    );
    // A deleted draft still has activity, so its row is checked only if there is none.
    if (activity.items.length === 0) await readPromotion(db, id);
    return activity;
  });
};

const codeRow = z.object({
  code: plain,
  redemptions: z.int(),
  redemptionLimit: z.int().nullable(),
  createdAt: z.date(),
});

export const codeRoutes = (app: FastifyInstance) => {
  serve(app, addCodes, async ({ db, params: { id }, body: { amount, redemptionLimit } }) => {
    refuse(refusalToAddCodes(await readLocked(db, id)));
    const codes = Array.from({ length: amount }, () => {
      const shown = generateCode((below) => randomInt(below));
      return { shown, code: normalizeCode(shown) ?? "" };
    });
    await insertCodes(db, id, codes, redemptionLimit);
    return readPromotion(db, id);
  });

  serveFile(app, exportCodes, "codes", async ({ db, params: { id } }) => {
    await readPromotion(db, id);
    return { ...codesStatement(id), columns: Object.keys(codeRow.shape), row: codeRow };
  });
};
