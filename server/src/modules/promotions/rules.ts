import type { Message } from "@purser/contract/messages/message";
import type { Promotion, PromotionDetails } from "@purser/contract/promotions/endpoints";
import { message } from "#platform/messages.ts";

type Refusal = { code: "wrong_state"; detail: Message };

const wrong = (detail: Message): Refusal => ({ code: "wrong_state", detail });

/** A promotion that gives an archived feature would have no effect. */
const refusalOfFeature = ({ feature }: Promotion): Refusal | null => {
  if (!feature?.archived) return null;
  const { name, app } = feature;
  return wrong(
    feature.archived === "app"
      ? message(
          "promotion_app_archived",
          "This promotion gives {feature} of {app}, which is archived. Restore the app first.",
          { feature: name, app },
        )
      : message(
          "promotion_feature_archived",
          "This promotion gives {feature}, which is archived. Restore the feature first.",
          { feature: name },
        ),
  );
};

export const refusalToPublish = (promotion: Promotion): Refusal | null => {
  const { status, requiresCode, codes } = promotion;
  if (status !== "draft")
    return wrong(message("promotion_already_published", "This promotion is already published."));
  if (requiresCode && codes === 0)
    return wrong(
      message(
        "promotion_without_code",
        "This promotion requires a code but has none. Add or generate one first.",
      ),
    );
  return refusalOfFeature(promotion);
};

export const refusalToPause = ({ status }: Promotion): Refusal | null =>
  status === "running" || status === "scheduled" || status === "used up"
    ? null
    : wrong(
        message("promotion_not_pausable", "Only scheduled and running promotions can be paused."),
      );

export const refusalToResume = (promotion: Promotion): Refusal | null =>
  promotion.status === "paused"
    ? refusalOfFeature(promotion)
    : wrong(message("promotion_not_paused", "This promotion isn't paused."));

export const refusalToArchive = ({ status }: Promotion): Refusal | null => {
  if (status === "archived")
    return wrong(message("promotion_already_archived", "This promotion is already archived."));
  return status === "draft"
    ? wrong(
        message("promotion_draft_archived", "Drafts can't be archived. Delete the draft instead."),
      )
    : null;
};

export const refusalToRestore = ({ status }: Promotion): Refusal | null =>
  status === "archived"
    ? null
    : wrong(message("promotion_not_archived", "This promotion isn't archived."));

const timeOf = (at: Date | string) => new Date(at).getTime();

type Ending = Pick<Promotion, "status"> & { endsAt: Date | string | null };

const archivedEnd = message(
  "promotion_archived_end",
  "This promotion is archived. Restore it to change its end date.",
);

/** No end date moves earlier, and none is added to a promotion that runs until it is stopped. */
export const refusalToExtend = (
  { status, endsAt }: Ending,
  next: Date,
  now: Date,
): Refusal | null => {
  if (status === "archived") return wrong(archivedEnd);
  if (endsAt === null)
    return wrong(message("promotion_endless", "This promotion has no end date."));
  if (timeOf(endsAt) >= next.getTime())
    return wrong(
      message("promotion_ends_later", "This promotion already ends at that time or later."),
    );
  return next <= now
    ? wrong(message("promotion_end_past", "Choose an end date in the future."))
    : null;
};

export const refusalToShorten = (
  { status, endsAt, startsAt }: Ending & { startsAt: Date | string | null },
  next: Date,
): Refusal | null => {
  if (status === "archived") return wrong(archivedEnd);
  if (endsAt !== null && timeOf(endsAt) <= next.getTime())
    return wrong(message("promotion_ends_sooner", "This promotion already ends sooner."));
  return startsAt !== null && timeOf(startsAt) >= next.getTime()
    ? wrong(message("promotion_end_before_start", "Choose an end date after the start date."))
    : null;
};

export const refusalToDelete = ({ status }: Promotion): Refusal | null =>
  status === "draft"
    ? null
    : wrong(
        message(
          "promotion_not_draft",
          "Only drafts can be deleted. Archive the promotion instead.",
        ),
      );

export const archivedForCodes = message(
  "promotion_archived_codes",
  "This promotion is archived. Restore it to add codes.",
);
export const withoutCodes = message(
  "promotion_without_codes",
  "This promotion applies automatically and has no codes.",
);

export const refusalToAddCodes = ({ requiresCode, status }: Promotion): Refusal | null => {
  if (status === "archived") return wrong(archivedForCodes);
  return requiresCode ? null : wrong(withoutCodes);
};

const sameSet = (one: readonly string[], other: readonly string[]) =>
  one.toSorted().join() === other.toSorted().join();

const amountsOf = (list: PromotionDetails["amounts"]) =>
  JSON.stringify(
    list
      .map(({ currency, off, minimum, cap }) => [currency, off, minimum, cap])
      .toSorted(([one = ""], [other = ""]) => (String(one) < String(other) ? -1 : 1)),
  );

/** The changed fields that are frozen once the promotion was redeemed. */
export const lockedFieldsOf = (
  stored: Promotion,
  given: PromotionDetails,
): (keyof PromotionDetails)[] => {
  const packageIds = stored.packages.map(({ id }) => id);
  const checks: [keyof PromotionDetails, boolean][] = [
    ["kind", stored.kind === given.kind],
    ["basisPoints", stored.basisPoints === given.basisPoints],
    ["trialDays", stored.trialDays === given.trialDays],
    ["featureId", (stored.feature?.id ?? null) === given.featureId],
    ["value", stored.value === given.value],
    ["featureDays", stored.featureDays === given.featureDays],
    ["level", stored.level === given.level],
    ["duration", stored.duration === given.duration],
    ["periods", stored.periods === given.periods],
    ["startsAt", stored.startsAt?.getTime() === given.startsAt?.getTime()],
    ["amounts", amountsOf(stored.amounts) === amountsOf(given.amounts)],
    ["audience", stored.audience === given.audience],
    ["packageIds", sameSet(packageIds, given.packageIds)],
    ["intervals", sameSet(stored.intervals, given.intervals)],
    ["requiresCode", stored.requiresCode === given.requiresCode],
  ];
  return checks.filter(([, isSame]) => !isSame).map(([field]) => field);
};

const isLower = (next: number | null, now: number | null) =>
  next !== null && (now === null || next < now);

/** The limits that were lowered. Buyers may rely on the higher ones. */
export const loweredLimitsOf = (
  stored: Promotion,
  given: PromotionDetails,
): (keyof PromotionDetails)[] => {
  const budgetIn = (currency: string) =>
    stored.amounts.find((one) => one.currency === currency)?.budget ?? null;
  const hasLowerBudget = given.amounts.some(({ currency, budget }) =>
    isLower(budget, budgetIn(currency)),
  );
  return [
    ...(isLower(given.redemptionLimit, stored.redemptionLimit)
      ? (["redemptionLimit"] as const)
      : []),
    ...(isLower(given.redemptionLimitPerCustomer, stored.redemptionLimitPerCustomer)
      ? (["redemptionLimitPerCustomer"] as const)
      : []),
    ...(hasLowerBudget ? (["amounts"] as const) : []),
  ];
};
