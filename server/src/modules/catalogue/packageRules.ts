import type { App, AppStatus } from "@purser/contract/apps/fields";
import type { Catalogue, CataloguedPackage } from "@purser/contract/catalog/catalog";
import type { Feature } from "@purser/contract/features/fields";
import { pick } from "@purser/contract/fields/declarations";
import type { Value } from "@purser/contract/fields/values";
import { type Package, packageWritable, type VersionState } from "@purser/contract/packages/fields";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { offerOf, type Price } from "@purser/contract/packages/prices";
import { type DraftState, validationMessages } from "../packages/matrix/matrixRules.ts";
import { refusalToArchive, sameTerms } from "../packages/rules.ts";
import { type Collected, fieldsOf, notMade, type Path, staying } from "./diffRules.ts";
import { isSame, pricesInOrder } from "./orderRules.ts";

type Contents = Record<string, Record<string, Value>>;

/** A package with what its draft holds where it has one, else its newest version. */
export type StoredPackage = Omit<CataloguedPackage, "status"> &
  Pick<Package, "id" | "status"> & {
    newest: { id: string; number: number; state: VersionState };
    scheduled: { number: number } | null;
  };

type Stored = {
  apps: readonly App[];
  features: readonly Feature[];
  packages: readonly StoredPackage[];
};
type Asked = { wanted: Catalogue; archiveMissing: boolean };
type World = Pick<DraftState, "apps" | "features">;

const statusAfter = (stored: AppStatus, wanted: AppStatus): AppStatus =>
  wanted === "archived" || (stored === "draft" && wanted === "draft") ? wanted : "active";

type Judged = DraftState["features"] extends ReadonlyMap<string, infer F> ? F : never;
type Draftable = {
  apps: Map<string, { name: string; status: AppStatus }>;
  features: Map<string, Judged>;
};

/** What there is, without what goes because the file does not have it. */
const worldBefore = (stored: Stored, { wanted, archiveMissing }: Asked): Draftable => {
  const named = new Map(
    wanted.apps.map(({ code, features }) => [code, new Set(features.map((one) => one.code))]),
  );
  const without = (status: AppStatus, isMissing: boolean): AppStatus =>
    archiveMissing && isMissing && status === "active" ? "archived" : status;
  return {
    apps: new Map(
      stored.apps.map(({ code, name, status }) => [
        code,
        { name, status: without(status, !named.has(code)) },
      ]),
    ),
    features: new Map(
      stored.features.map((one) => {
        const id = `${one.app.code}/${one.code}`;
        const status = without(one.status, named.get(one.app.code)?.has(one.code) === false);
        return [id, { ...one, id, appId: one.app.code, status }];
      }),
    ),
  };
};

/** What there will be when the file is applied, by code: values are judged by that. */
const worldAfter = (stored: Stored, asked: Asked): World => {
  const world = worldBefore(stored, asked);
  for (const app of asked.wanted.apps) {
    const known = world.apps.get(app.code);
    const status = statusAfter(known?.status ?? "draft", app.status);
    world.apps.set(app.code, { name: app.name, status });
    if (app.status === "archived" && known) continue;
    for (const one of app.features) {
      const id = `${app.code}/${one.code}`;
      const ownStatus = app.status === "archived" ? "archived" : one.status;
      world.features.set(id, { ...one, id, appId: app.code, status: ownStatus });
    }
  }
  return world;
};

const changeOf = (before: Contents, after: Contents): MatrixChange => {
  const has = (contents: Contents, code: string) => Object.hasOwn(contents, code);
  const valueIn = (contents: Contents, app: string, feature: string) => {
    const values = has(contents, app) ? contents[app] : undefined;
    return values && Object.hasOwn(values, feature) ? (values[feature] ?? null) : null;
  };
  const cells = Object.keys(after).flatMap((app) => {
    const codes = new Set([
      ...Object.keys(after[app] ?? {}),
      ...(has(before, app) ? Object.keys(before[app] ?? {}) : []),
    ]);
    return [...codes].flatMap((feature) => {
      const [was, value] = [valueIn(before, app, feature), valueIn(after, app, feature)];
      return isSame(was, value) ? [] : [{ featureId: `${app}/${feature}`, value, was }];
    });
  });
  return {
    addApps: Object.keys(after).filter((code) => !has(before, code)),
    removeApps: Object.keys(before).filter((code) => !has(after, code)),
    cells,
  };
};

const isEmpty = ({ addApps, removeApps, cells }: MatrixChange) =>
  addApps.length + removeApps.length + cells.length === 0;

const valuesOf = (contents: Contents) =>
  new Map(
    Object.entries(contents).flatMap(([app, values]) =>
      Object.entries(values).map(([feature, value]) => [`${app}/${feature}`, value] as const),
    ),
  );

const shownContents = ({ addApps, removeApps, cells }: MatrixChange) => [
  ...addApps.map((code) => ({ field: `apps/${code}`, before: false, after: true })),
  ...removeApps.map((code) => ({ field: `apps/${code}`, before: true, after: false })),
  ...cells.map(({ featureId, was, value }) => ({
    field: `apps/${featureId}`,
    before: was,
    after: value,
  })),
];

type Terms = { trialDays: number; prices: readonly Price[] };

const shownTerms = (before: Terms, after: Terms) => {
  const amounts = ({ prices }: Terms) =>
    new Map(pricesInOrder(prices).map((price) => [offerOf(price), price.amount]));
  const [old, next] = [amounts(before), amounts(after)];
  const offers = [...new Set([...old.keys(), ...next.keys()])];
  return [
    ...fieldsOf({ trialDays: before.trialDays }, { trialDays: after.trialDays }, "package"),
    ...offers
      .map((offer) => ({
        field: `prices/${offer}`,
        before: old.get(offer) ?? null,
        after: next.get(offer) ?? null,
      }))
      .filter((one) => one.before !== one.after),
  ];
};

const ownOf = (one: Omit<CataloguedPackage, "status">) => {
  const { trialDays: _, prices: _prices, ...own } = pick(one, packageWritable);
  return own;
};

const noteOf = (newest: StoredPackage["newest"] | undefined, touchesDraft: boolean) => {
  if (!newest) return "It starts with a draft. Nothing of it is on sale until that is published.";
  if (!touchesDraft) return null;
  const { number, state } = newest;
  return state === "draft"
    ? `Goes into the draft, version ${number}.`
    : `Starts the draft of version ${number + 1} from version ${number}, which is ${state}.`;
};

const nothing: Terms & { apps: Contents } = { trialDays: 0, prices: [], apps: {} };

const blameContents = (
  found: Collected,
  {
    world,
    before,
    wanted,
    change,
    path,
  }: {
    world: World;
    before: Contents;
    wanted: CataloguedPackage;
    change: MatrixChange;
    path: Path;
  },
) => {
  const included = new Set(Object.keys(wanted.apps));
  const complaints = validationMessages({ ...world, included, values: valuesOf(before) }, change);
  for (const { pointer, message } of complaints) {
    const [, list, place] = pointer.split("/");
    const index = Number(place);
    const way =
      list === "addApps"
        ? [change.addApps[index] ?? ""]
        : (change.cells[index]?.featureId ?? "").split("/");
    const { code } = wanted;
    found.obstacles.push({ what: "package", code, message, path: [...path, "apps", ...way] });
  }
};

/** What of a package differs from what is stored, each null where nothing does. */
const differencesOf = (stored: StoredPackage | null, wanted: CataloguedPackage) => {
  const before = stored ?? nothing;
  const own = ownOf(wanted);
  const terms = { trialDays: wanted.trialDays, prices: pricesInOrder(wanted.prices) };
  const contents = changeOf(before.apps, wanted.apps);
  return {
    own: stored && isSame(ownOf(stored), own) ? null : own,
    terms: sameTerms({ ...before, prices: [...before.prices] }, terms) ? null : terms,
    contents: isEmpty(contents) ? null : contents,
  };
};
type Differences = ReturnType<typeof differencesOf>;

const shownChanges = (stored: StoredPackage | null, { own, terms, contents }: Differences) => [
  ...(own ? fieldsOf(stored && ownOf(stored), own, "package") : []),
  ...(stored?.status === "archived"
    ? [{ field: "status", before: "archived", after: "active" }]
    : []),
  ...(terms ? shownTerms(stored ?? nothing, terms) : []),
  ...(contents ? shownContents(contents) : []),
];

const actionOn = (stored: StoredPackage | null) => {
  if (!stored) return "create";
  return stored.status === "archived" ? "restore" : "change";
};

type Pair = { stored: StoredPackage | null; wanted: CataloguedPackage; path: Path };

const diffPackage = (found: Collected, world: World, { stored, wanted, path }: Pair) => {
  const { code, name } = wanted;
  const { own, terms, contents } = differencesOf(stored, wanted);
  const before = stored?.apps ?? {};
  if (contents) blameContents(found, { world, before, wanted, change: contents, path });
  const action = actionOn(stored);
  if (!own && !terms && !contents && action === "change") return;
  const changes = shownChanges(stored, { own, terms, contents });
  const note = noteOf(stored?.newest, terms !== null || contents !== null);
  found.steps.push({
    shown: { action, what: "package", code, name, changes, note },
    work: {
      what: "package",
      id: stored?.id ?? null,
      terms,
      contents,
      // Also where only the terms differ: whoever saves next must have seen them.
      own: own ?? (terms && ownOf(wanted)),
      status: action === "restore" ? "active" : null,
    },
  });
};

const archive = (found: Collected, stored: StoredPackage, path: Path | null) => {
  const { id, code, name, status } = stored;
  const refusal = refusalToArchive(stored);
  if (refusal) {
    found.obstacles.push({ what: "package", code, message: refusal.detail, path });
    return;
  }
  found.steps.push({
    shown: {
      action: "archive",
      what: "package",
      code,
      name,
      note: "Holders keep what they have.",
      changes: [{ field: "status", before: status, after: "archived" }],
    },
    work: { what: "package", id, own: null, terms: null, contents: null, status: "archived" },
  });
};

/** Packages. What they hold goes into drafts; whether anything is on sale is nothing that a file decides. */
export const diffPackages = (found: Collected, stored: Stored, asked: Asked) => {
  const world = worldAfter(stored, asked);
  const packages = new Map(stored.packages.map((one) => [one.code, one]));
  const unmade: string[] = [];
  for (const [place, wanted] of asked.wanted.packages.entries()) {
    const path = ["packages", place];
    const known = packages.get(wanted.code) ?? null;
    if (wanted.status !== "archived") diffPackage(found, world, { stored: known, wanted, path });
    else if (!known) unmade.push(wanted.code);
    else if (known.status !== "archived") archive(found, known, [...path, "status"]);
  }
  if (unmade.length > 0) found.notes.push(notMade(unmade, "package"));
  if (!asked.archiveMissing) return;
  const named = new Set(asked.wanted.packages.map(({ code }) => code));
  const missing = stored.packages.filter(({ code }) => !named.has(code));
  for (const one of missing) if (one.status === "active") archive(found, one, null);
  const drafts = missing.filter(({ status }) => status === "draft").length;
  if (drafts > 0) found.notes.push(staying(drafts, "package"));
};
