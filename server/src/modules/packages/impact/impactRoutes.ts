import { type Value, wordsOf } from "@purser/contract/fields/values";
import type { Package } from "@purser/contract/packages/fields";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { exportImpact, previewImpact } from "@purser/contract/packages/publishing";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveFile } from "#platform/lists/export.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { findPriceChange } from "../publishing/approval.ts";
import { readPackage } from "../routes.ts";
import { sameTerms } from "../rules.ts";
import {
  findPerUnit,
  findValues,
  findVersion,
  findVersionApps,
} from "../versions/versionQueries.ts";
import { changesFor } from "./impact.ts";
import { draftWith, findImpact, questionOf, unchanged } from "./preview.ts";
import { type CustomerRow, customersStatement } from "./subscriberGroupQueries.ts";

const noDraft = () =>
  new Problem(
    "wrong_state",
    message("package_without_draft", "This package has no draft. Create one to see its impact."),
  );

/** The version on sale, to compare the draft with. */
const baseOf = async (db: Db, stored: Package, now: Date) => {
  if (!stored.onSale) return null;
  const { id, number } = stored.onSale;
  const version = await findVersion(db, { packageId: stored.id, number, now });
  const apps = await findVersionApps(db, [id]);
  return {
    apps: apps.map((app) => app.id).sort(),
    values: (await findValues(db, [id])).get(id) ?? new Map<string, Value>(),
    perUnit: [...((await findPerUnit(db, [id])).get(id) ?? [])].sort(),
    sameTerms: version !== undefined && sameTerms(version, stored),
  };
};

export const impactOf = async (db: Db, stored: Package, change: MatrixChange, now: Date) => {
  if (!stored.draft) throw noDraft();
  const draft = await draftWith(db, stored, change);
  const impact = await findImpact(db, stored, { draft, base: await baseOf(db, stored, now), now });
  const { approvalRules } = await findSettings(db);
  const requiresApproval =
    approvalRules.includes("price") && (await findPriceChange(db, stored, now)) !== null;
  return { ...impact, requiresApproval };
};

const personRow = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  feature: z.string(),
  app: z.string(),
  before: z.string(),
  after: z.string(),
  effect: z.enum(["gain", "lose"]),
});

export const impactRoutes = (app: FastifyInstance) => {
  serve(app, previewImpact, async ({ db, params: { id }, body, now }) =>
    impactOf(db, await readPackage(db, id), body, now),
  );

  serveFile(app, exportImpact, "impact", async ({ db, params: { id }, query, now }) => {
    const stored = await readPackage(db, id);
    if (!stored.draft) throw noDraft();
    const draft = await draftWith(db, stored, unchanged);
    const { features, world, population } = await questionOf(db, stored, draft, now);
    const byId = new Map(features.map((feature) => [feature.id, feature]));
    const read = ({ versions, extras, ...customer }: CustomerRow) =>
      changesFor(world, { versions, extras, customers: 1 }).flatMap((change) => {
        const feature = byId.get(change.featureId);
        const effect = change.direction > 0 ? ("gain" as const) : ("lose" as const);
        if (!feature || (query.effect !== "any" && query.effect !== effect)) return [];
        const [before, after] = [change.before, change.after].map((one) => wordsOf(feature, one));
        return [{ ...customer, feature: feature.name, app: feature.app, before, after, effect }];
      });
    return {
      ...customersStatement(population),
      columns: Object.keys(personRow.shape),
      row: personRow,
      read,
    };
  });
};
