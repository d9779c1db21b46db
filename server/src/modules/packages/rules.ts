import { isDeepStrictEqual } from "node:util";
import type { Package, PackageDetails } from "@purser/contract/packages/fields";
import { offerOf, type Price } from "@purser/contract/packages/prices";

type Refusal = { code: "wrong_state"; detail: string };

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

/** The user's draft may have been published or discarded by someone else. */
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
