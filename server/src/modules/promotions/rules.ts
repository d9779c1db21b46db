import type { Promotion, PromotionDetails } from "@purser/contract/promotions/endpoints";

type Refusal = { code: "wrong_state"; detail: string };

const wrong = (detail: string): Refusal => ({ code: "wrong_state", detail });

export const refusalToPublish = ({ status, requiresCode, codes }: Promotion): Refusal | null => {
  if (status !== "draft") return wrong("The promotion is published already.");
  return requiresCode && codes === 0
    ? wrong("Nobody could use it: it has no code yet. Give it one, or make some.")
    : null;
};

export const refusalToPause = ({ status }: Promotion): Refusal | null =>
  status === "running" || status === "scheduled" || status === "used up"
    ? null
    : wrong(`A promotion that is ${status} cannot be paused.`);

export const refusalToResume = ({ status }: Promotion): Refusal | null =>
  status === "paused" ? null : wrong("The promotion is not paused.");

export const refusalToArchive = ({ status }: Promotion): Refusal | null => {
  if (status === "archived") return wrong("The promotion is archived already.");
  return status === "draft" ? wrong("A draft is deleted, not archived.") : null;
};

export const refusalToRestore = ({ status }: Promotion): Refusal | null =>
  status === "archived" ? null : wrong("The promotion is not archived.");

export const refusalToDelete = ({ status }: Promotion): Refusal | null =>
  status === "draft" ? null : wrong("Only a draft can be deleted. Archive it instead.");

export const refusalToAddCodes = ({ requiresCode, status }: Promotion): Refusal | null => {
  if (status === "archived") return wrong("The promotion is archived. Restore it first.");
  return requiresCode ? null : wrong("The promotion applies by itself, so it has no codes.");
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
