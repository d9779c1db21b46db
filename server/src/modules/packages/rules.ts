import { isDeepStrictEqual } from "node:util";
import { refusalOfValue, type Shape, type Value, wordsOf } from "@purser/contract/fields/values";
import type { FieldError } from "@purser/contract/http/problem";
import type { Package, PackageDetails } from "@purser/contract/packages/fields";
import type { MatrixChange } from "@purser/contract/packages/matrix";
import { offerOf, type Price } from "@purser/contract/packages/prices";

type Refusal = { code: "code_frozen" | "wrong_state"; detail: string };

/** Why these details may not replace the stored ones, or null. What other programs name stays. */
export const refusalToChange = (
  stored: Pick<Package, "code" | "status" | "codeFrozen">,
  next: Pick<PackageDetails, "code">,
): Refusal | null => {
  if (stored.status === "archived")
    return {
      code: "wrong_state",
      detail: "An archived package cannot be changed. Restore it first.",
    };
  if (stored.codeFrozen && next.code !== stored.code)
    return {
      code: "code_frozen",
      detail: `Other programs already use the code "${stored.code}". Create another package to use another code.`,
    };
  return null;
};

export const refusalToDelete = (stored: Pick<Package, "codeFrozen">): Refusal | null =>
  stored.codeFrozen
    ? {
        code: "wrong_state",
        detail: "A version of it was published. Archive the package instead.",
      }
    : null;

export const refusalToArchive = (
  stored: Pick<Package, "status"> & { scheduled: { number: number } | null },
): Refusal | null => {
  if (stored.status !== "active")
    return {
      code: "wrong_state",
      detail: `Only an active package can be archived. This one is ${stored.status}.`,
    };
  if (stored.scheduled)
    return {
      code: "wrong_state",
      detail: `Version ${stored.scheduled.number} is scheduled. Take it off the schedule first.`,
    };
  return null;
};

export const refusalToRestore = ({ status }: Pick<Package, "status">): Refusal | null =>
  status === "archived"
    ? null
    : { code: "wrong_state", detail: "Only an archived package can be restored." };

/** Why no draft may begin, or null. */
export const refusalToStart = (
  stored: Pick<Package, "status" | "draft" | "scheduled">,
): Refusal | null => {
  if (stored.status === "archived")
    return { code: "wrong_state", detail: "An archived package takes no draft. Restore it first." };
  if (stored.draft)
    return {
      code: "wrong_state",
      detail: `Version ${stored.draft.number} is already a draft. Publish or discard it first.`,
    };
  return null;
};

/** Why that draft cannot be edited or published any more, or null. */
export const refusalOfDraft = (
  stored: Pick<Package, "status" | "draft" | "scheduled" | "onSale">,
  draftId: string,
): Refusal | null => {
  if (stored.status === "archived")
    return { code: "wrong_state", detail: "The package was archived. Restore it first." };
  if (stored.draft?.id === draftId) return null;
  const published = [stored.scheduled, stored.onSale].find((one) => one?.id === draftId);
  return {
    code: "wrong_state",
    detail: published
      ? `Somebody else has already published it: version ${published.number} is ${published.state}.`
      : "This draft is no longer there: it was published or discarded. Look at the package again.",
  };
};

type Terms = Pick<PackageDetails, "trialDays" | "prices">;

const inOrder = (prices: readonly Price[]) =>
  prices.toSorted((a, b) => offerOf(a).localeCompare(offerOf(b)));

type Priced = Pick<PackageDetails, "prices">;

export const samePrices = (one: Priced, other: Priced) =>
  isDeepStrictEqual(inOrder(one.prices), inOrder(other.prices));

export const sameTerms = (one: Terms, other: Terms) =>
  one.trialDays === other.trialDays && samePrices(one, other);

/** What the draft holds, as far as a change of it is judged. */
export type DraftFeature = Omit<Shape, "combining"> & {
  id: string;
  appId: string;
  name: string;
  status: "draft" | "active" | "archived";
};

export type DraftState = {
  /** Apps by id, and those that the change adds among them. */
  apps: ReadonlyMap<string, { name: string; status: string }>;
  included: ReadonlySet<string>;
  features: ReadonlyMap<string, DraftFeature>;
  values: ReadonlyMap<string, Value>;
};

const at = (pointer: string, code: string, message: string): FieldError => ({
  in: "body",
  pointer,
  code,
  message,
});

const complaintOfCell = (
  { apps, included, features, values }: DraftState,
  { featureId, value }: MatrixChange["cells"][number],
): string | null => {
  if (value === null) return null;
  const feature = features.get(featureId);
  if (!feature) return "There is no such feature.";
  if (!included.has(feature.appId))
    return `The app of ${feature.name} is not part of the draft. Add it first.`;
  if (feature.status === "archived" && values.get(featureId) !== value)
    return `${feature.name} is archived. Restore it to give it to people.`;
  const refusal = refusalOfValue(feature, value);
  return refusal && `${feature.name} in ${apps.get(feature.appId)?.name ?? "its app"} ${refusal}.`;
};

/** Why each part of a change does not fit the draft; nothing where all of it does. */
export const validationMessages = (state: DraftState, change: MatrixChange): FieldError[] => [
  ...change.addApps.flatMap((id, place) => {
    const app = state.apps.get(id);
    if (!app) return [at(`/addApps/${place}`, "unknown", "There is no such app.")];
    return app.status === "archived"
      ? [at(`/addApps/${place}`, "archived", `${app.name} is archived. Restore it to sell it.`)]
      : [];
  }),
  ...change.cells.flatMap((cell, place) => {
    const complaint = complaintOfCell(state, cell);
    return complaint ? [at(`/cells/${place}/value`, "unfit", complaint)] : [];
  }),
];

/** The cells that somebody else set to something else since they were read. */
export const conflictsOf = (
  { features, values }: Pick<DraftState, "features" | "values">,
  cells: MatrixChange["cells"],
): FieldError[] =>
  cells.flatMap(({ featureId, value, was }, place) => {
    const stored = values.get(featureId) ?? null;
    if (stored === was || stored === value) return [];
    const feature = features.get(featureId);
    const words = stored === null || !feature ? "its default" : wordsOf(feature, stored);
    return [
      at(`/cells/${place}`, "changed", `${feature?.name ?? "The feature"} is ${words} by now.`),
    ];
  });
