import { createHash } from "node:crypto";
import { rankOf, type Value } from "@purser/contract/fields/values";
import type { Package } from "@purser/contract/packages/fields";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import type { VersionPrice } from "@purser/contract/packages/prices";
import type { Impact } from "@purser/contract/packages/publishing";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import {
  findAppFeatures,
  findPerUnit,
  findValues,
  findVersionApps,
} from "../versions/versionQueries.ts";
import { findSubscribers } from "./findSubscribers.ts";
import { changesFor, sumUp, type World } from "./impact.ts";
import {
  type FoundGroup,
  findCustomers,
  findInactive,
  findQuestion,
  findRenewals,
  type Population,
} from "./subscriberGroupQueries.ts";

const samplesMax = 5;

/** The content of the draft after an unsaved change. */
type Draft = {
  id: string;
  apps: string[];
  values: ReadonlyMap<string, Value>;
  /** Features whose value is multiplied by the quantity. */
  perUnit: readonly string[];
  prices: VersionPrice[];
  trialDays: number;
};

const applied = (
  stored: { apps: { id: string; featureIds: string[] }[]; values: Map<string, Value> },
  { addApps, removeApps, cells }: MatrixChange,
) => {
  const values = new Map(stored.values);
  for (const { id, featureIds } of stored.apps)
    if (removeApps.includes(id)) for (const featureId of featureIds) values.delete(featureId);
  for (const { featureId, value } of cells)
    if (value === null) values.delete(featureId);
    else values.set(featureId, value);
  const apps = new Set([...stored.apps.map(({ id }) => id), ...addApps]);
  for (const id of removeApps) apps.delete(id);
  return { apps: [...apps].sort(), values };
};

export const unchanged: MatrixChange = { addApps: [], removeApps: [], cells: [], perUnit: [] };

const perUnitAfter = (
  stored: ReadonlySet<string>,
  values: ReadonlyMap<string, Value>,
  { perUnit }: MatrixChange,
) => {
  const found = new Set(stored);
  for (const one of perUnit)
    if (one.perUnit) found.add(one.featureId);
    else found.delete(one.featureId);
  return [...found].filter((id) => values.has(id)).sort();
};

export const draftWith = async (db: Db, stored: Package, change: MatrixChange): Promise<Draft> => {
  const id = stored.draft?.id ?? "";
  const values = (await findValues(db, [id])).get(id) ?? new Map<string, Value>();
  const apps = await findVersionApps(db, [id]);
  const owned = await findAppFeatures(
    db,
    apps.map((app) => app.id),
    [id],
  );
  const held = apps.map((app) => ({
    id: app.id,
    featureIds: owned.filter(({ appId }) => appId === app.id).map((feature) => feature.id),
  }));
  const content = applied({ apps: held, values }, change);
  const multiplied = (await findPerUnit(db, [id])).get(id) ?? new Set();
  const perUnit = perUnitAfter(multiplied, content.values, change);
  const { prices, trialDays } = stored;
  return { id, ...content, perUnit, prices, trialDays };
};

/** The affected subscribers, and everything their entitlements depend on. */
export const questionOf = async (db: Db, stored: Package, draft: Draft, now: Date) => {
  const { features, versions, migrated } = await findQuestion(db, {
    packageId: stored.id,
    draftValues: draft.values,
  });
  const world: World = { features, versions, migrated, draft: draft.values };
  const population: Population = {
    packageId: stored.id,
    versionIds: [...versions.keys()],
    featureIds: features.map(({ id }) => id),
    now,
  };
  return { features, world, population };
};

const samplesOf = (world: World, groups: readonly FoundGroup[], wanted: 1 | -1) =>
  groups
    .filter((group) => changesFor(world, group).some(({ direction }) => direction * wanted > 0))
    .flatMap(({ samples }) => samples)
    .slice(0, samplesMax);

/** Counts customers who already use more of a feature than they would have. */
const countAbove = (world: World, groups: readonly FoundGroup[]) => {
  const above = new Map<string, number>();
  for (const group of groups) {
    const changes = changesFor(world, group);
    for (const { featureId, used, customers } of group.uses) {
      const change = changes.find((one) => one.featureId === featureId);
      const feature = world.features.find(({ id }) => id === featureId);
      if (!change || !feature || change.direction > 0) continue;
      if (used > rankOf(feature, change.after))
        above.set(featureId, (above.get(featureId) ?? 0) + customers);
    }
  }
  return above;
};

const blockingIssuesOf = (
  stored: Package,
  draft: Draft,
  found: { sameAsOnSale: boolean; archived: readonly string[] },
) => [
  ...(draft.apps.length === 0
    ? [message("draft_without_apps", "The draft has no apps. Add at least one.")]
    : []),
  ...(found.sameAsOnSale && stored.onSale
    ? [
        message("draft_unchanged", "The draft is the same as version {number}, which is on sale.", {
          number: stored.onSale.number,
        }),
      ]
    : []),
  ...found.archived.map((name) =>
    message("draft_with_archived", "{name} is archived. Restore it or remove it from the draft.", {
      name,
    }),
  ),
];

const sorted = (values: ReadonlyMap<string, Value>) =>
  [...values].sort(([a], [b]) => (a < b ? -1 : 1));

/** Changes if the draft, the version that it replaces or the shown impact changes. */
const hashOf = (draft: Draft, replaced: string | null, shown: unknown) =>
  createHash("sha256")
    .update(
      JSON.stringify([
        draft.id,
        draft.apps,
        sorted(draft.values),
        draft.perUnit,
        draft.prices,
        draft.trialDays,
        replaced,
        shown,
      ]),
    )
    .digest("hex")
    .slice(0, 32);

type Base = {
  apps: readonly string[];
  values: ReadonlyMap<string, Value>;
  perUnit: readonly string[];
  sameTerms: boolean;
};

/** The impact of migrating every subscriber to the draft now. */
export const findImpact = async (
  db: Db,
  stored: Package,
  { draft, base, now }: { draft: Draft; base: Base | null; now: Date },
): Promise<Omit<Impact, "requiresApproval">> => {
  const { features, world, population } = await questionOf(db, stored, draft, now);
  const { groups, inUse, isAtMost } = await findSubscribers(db, world, population);
  const sums = sumUp(world, groups);
  const above = countAbove(world, groups);
  const renewals = await findRenewals(db, stored.id, draft.prices);
  const inactive = await findInactive(db, draft.apps, [...draft.values.keys()]);
  const effects = features.flatMap((feature) => {
    const { id, code, name, app, kind, unit, reset } = feature;
    const options = [...feature.options];
    const before = base?.values.get(id) ?? null;
    const after = draft.values.get(id) ?? null;
    const { gain, lose } = sums.byFeature.get(id) ?? { gain: 0, lose: 0 };
    if (before === after && gain === 0 && lose === 0) return [];
    const shown = { id, code, name, app, kind, unit, reset, options };
    const isUseKnown = inUse.has(id);
    return [{ feature: shown, before, after, gain, lose, above: above.get(id) ?? 0, isUseKnown }];
  });
  const customers = await findCustomers(db, [
    ...samplesOf(world, groups, -1),
    ...samplesOf(world, groups, 1),
  ]);
  const among = (ids: readonly string[]) => customers.filter(({ id }) => ids.includes(id));
  const namesOf = (what: string) =>
    inactive.filter((one) => one.what === what && one.status === "draft").map(({ name }) => name);
  const { subscribers, gain, lose } = sums;
  const shownRenewals = renewals.map(({ last: _, ...renewal }) => renewal);
  const contentOf = (one: Pick<Draft, "values" | "perUnit"> & { apps: readonly string[] }) =>
    JSON.stringify([one.apps, sorted(one.values), one.perUnit]);
  const sameAsOnSale = base?.sameTerms === true && contentOf(base) === contentOf(draft);
  const archived = inactive.filter(({ status }) => status === "archived").map(({ name }) => name);
  return {
    asOf: now,
    hash: hashOf(draft, stored.onSale?.id ?? null, [
      subscribers,
      gain,
      lose,
      effects,
      shownRenewals,
    ]),
    subscribers,
    isAtMost,
    gain,
    lose,
    effects,
    renewals: shownRenewals,
    lastRenewal: renewals.reduce<Date | null>(
      (latest, { last }) => (latest && latest > last ? latest : last),
      null,
    ),
    losing: among(samplesOf(world, groups, -1)),
    gaining: among(samplesOf(world, groups, 1)),
    activates: { apps: namesOf("app"), features: namesOf("feature") },
    blockingIssues: blockingIssuesOf(stored, draft, { sameAsOnSale, archived }),
  };
};
