import { isDeepStrictEqual } from "node:util";
import type { Message } from "@purser/contract/messages/message";
import type { Package, PackageDetails } from "@purser/contract/packages/fields";
import { offerOf, type VersionPrice } from "@purser/contract/packages/prices";
import { message } from "#platform/messages.ts";

type Refusal = { code: "wrong_state"; detail: Message };

/** Why a version of a package can't be sold or granted. */
export const refusalToSell = (
  packageName: string,
  [archived]: readonly { what: "app" | "feature"; name: string }[],
): Refusal | null =>
  archived
    ? {
        code: "wrong_state",
        detail:
          archived.what === "app"
            ? message(
                "package_app_archived",
                "{packageName} includes {app}, which is archived. Restore the app or publish a version without it.",
                { packageName, app: archived.name },
              )
            : message(
                "package_feature_archived",
                "{packageName} includes {feature}, which is archived. Restore the feature or publish a version without it.",
                { packageName, feature: archived.name },
              ),
      }
    : null;

export const refusalToDelete = (stored: Pick<Package, "codeFrozen">): Refusal | null =>
  stored.codeFrozen
    ? {
        code: "wrong_state",
        detail: message(
          "package_published",
          "This package was published and can't be deleted. Archive it instead.",
        ),
      }
    : null;

export const refusalToArchive = (
  stored: Pick<Package, "status"> & { scheduled: { number: number } | null },
): Refusal | null => {
  if (stored.status === "archived")
    return {
      code: "wrong_state",
      detail: message("package_already_archived", "This package is already archived."),
    };
  if (stored.status === "draft")
    return {
      code: "wrong_state",
      detail: message(
        "package_draft_archive",
        "This package is a draft. Only active packages can be archived.",
      ),
    };
  if (stored.scheduled)
    return {
      code: "wrong_state",
      detail: message("package_scheduled", "Version {number} is scheduled. Unschedule it first.", {
        number: stored.scheduled.number,
      }),
    };
  return null;
};

export const refusalToRestore = ({ status }: Pick<Package, "status">): Refusal | null =>
  status === "archived"
    ? null
    : {
        code: "wrong_state",
        detail: message("package_not_archived", "This package isn't archived."),
      };

export const refusalToStart = (
  stored: Pick<Package, "status" | "draft" | "scheduled">,
): Refusal | null => {
  if (stored.status === "archived")
    return {
      code: "wrong_state",
      detail: message(
        "package_archived_draft",
        "This package is archived. Restore it to create a draft.",
      ),
    };
  if (stored.draft)
    return {
      code: "wrong_state",
      detail: message(
        "draft_exists",
        "Version {number} is already a draft. Publish or discard it first.",
        { number: stored.draft.number },
      ),
    };
  return null;
};

const draftGone = ({ scheduled, onSale }: Pick<Package, "scheduled" | "onSale">, id: string) => {
  if (onSale?.id === id)
    return message(
      "draft_published",
      "Someone else already published this draft. Version {number} is on sale.",
      { number: onSale.number },
    );
  if (scheduled?.id === id)
    return message(
      "draft_scheduled",
      "Someone else already scheduled this draft as version {number}.",
      { number: scheduled.number },
    );
  return message(
    "draft_gone",
    "This draft was published or discarded. Reload the package and try again.",
  );
};

/** The user's draft may have been published or discarded by someone else. */
export const refusalOfDraft = (
  stored: Pick<Package, "status" | "draft" | "scheduled" | "onSale">,
  draftId: string,
): Refusal | null => {
  if (stored.status === "archived")
    return {
      code: "wrong_state",
      detail: message("package_archived_meanwhile", "This package was archived. Restore it first."),
    };
  if (stored.draft?.id === draftId) return null;
  return { code: "wrong_state", detail: draftGone(stored, draftId) };
};

type Terms = Pick<PackageDetails, "trialDays" | "prices">;

const inOrder = (prices: readonly VersionPrice[]) =>
  prices.toSorted((a, b) => offerOf(a).localeCompare(offerOf(b)));

type Priced = Pick<PackageDetails, "prices">;

export const samePrices = (one: Priced, other: Priced) =>
  isDeepStrictEqual(inOrder(one.prices), inOrder(other.prices));

export const sameTerms = (one: Terms, other: Terms) =>
  one.trialDays === other.trialDays && samePrices(one, other);
