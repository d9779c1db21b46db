import type { PromotionDetails } from "@purser/contract/promotions/endpoints";
import { durationOf, type Promotion } from "./conditions.ts";
import type { Considered } from "./queries.ts";

const byCurrency = (
  amounts: PromotionDetails["amounts"],
  part: "off" | "minimum" | "cap" | "budget",
) =>
  Object.fromEntries(
    amounts.flatMap((one) => (one[part] === null ? [] : [[one.currency, one[part]]])),
  );

/** The ID of a promotion that isn't saved yet. */
export const unsavedId = "00000000-0000-7000-8000-000000000000";

/** Only the stored feature can be archived, because no other archived one can be saved. */
const isArchivedIn = (stored: Considered | undefined, { featureId }: PromotionDetails) => {
  const promotion = stored?.promotion;
  return promotion?.kind === "feature" && promotion.featureId === featureId && promotion.isArchived;
};

/**
 * The promotion of a form, as if it were published and the buyer entered its code. Its redemptions are those of the
 * stored promotion that it would replace.
 */
export const considerDraft = (
  details: PromotionDetails,
  stored: Considered | undefined,
): Considered => {
  const { kind, audience, intervals, stacking, priority, startsAt, endsAt, level } = details;
  const conditions = {
    id: stored?.promotion.id ?? "",
    name: details.name,
    audience,
    intervals,
    stacking,
    priority,
    isPublished: true,
    pausedAt: null,
    archivedAt: null,
    startsAt,
    endsAt,
    redemptionLimit: details.redemptionLimit,
    redemptions: stored?.promotion.redemptions ?? 0,
    redemptionLimitPerCustomer: details.redemptionLimitPerCustomer,
    redemptionsByBuyer: stored?.promotion.redemptionsByBuyer ?? 0,
    minimum: byCurrency(details.amounts, "minimum"),
    isBuyerListed: stored?.promotion.isBuyerListed ?? false,
    packageIds: details.packageIds,
    code: details.requiresCode ? { given: true } : null,
  };
  const given = stored && "given" in stored.promotion ? stored.promotion.given : {};
  const discount = {
    ...conditions,
    level,
    duration: durationOf(details),
    given,
    cap: byCurrency(details.amounts, "cap"),
    budgets: byCurrency(details.amounts, "budget"),
  };
  const promotion = ((): Promotion => {
    switch (kind) {
      case "percent":
        return { ...discount, kind, basisPoints: details.basisPoints ?? 0 };
      case "fixed":
        return { ...discount, kind, amounts: byCurrency(details.amounts, "off") };
      case "trial":
        return { ...conditions, kind, days: details.trialDays ?? 0 };
      case "feature":
        return {
          ...conditions,
          kind,
          featureId: details.featureId ?? "",
          isArchived: isArchivedIn(stored, details),
          value: details.value ?? false,
          days: details.featureDays,
        };
    }
  })();
  return { promotion, codeId: null, code: details.code };
};
