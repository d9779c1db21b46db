import { formatMoney } from "@purser/contract/fields/amounts";
import type { Promotion, PromotionDetails } from "@purser/contract/promotions/endpoints";
import type { ApprovalSubject } from "#platform/http/approvalGate.ts";
import { lockedFieldsOf } from "./rules.ts";

type Terms = Pick<
  PromotionDetails,
  | "name"
  | "kind"
  | "basisPoints"
  | "amounts"
  | "trialDays"
  | "duration"
  | "periods"
  | "redemptionLimit"
  | "redemptionLimitPerCustomer"
  | "audience"
  | "requiresCode"
  | "startsAt"
  | "endsAt"
>;

const discountOf = ({ kind, basisPoints, amounts, trialDays }: Terms) => {
  switch (kind) {
    case "percent":
      return `${(basisPoints ?? 0) / 100}%`;
    case "fixed":
      return amounts
        .flatMap(({ off, currency }) => (off === null ? [] : [formatMoney(off, currency)]))
        .join(", ");
    case "trial":
      return `${trialDays} trial days`;
    case "feature":
      return "A feature";
  }
};

const durationOf = ({ duration, periods }: Terms) =>
  duration === "periods" ? `${periods} payments` : { once: "Once", forever: "Forever" }[duration];

const budgetsOf = ({ amounts }: Terms) =>
  amounts
    .flatMap(({ budget, currency }) => (budget === null ? [] : [formatMoney(budget, currency)]))
    .join(", ") || "None";

/** The approval request for a promotion that customers can use. */
export const promotionApproval = (
  id: string,
  terms: Terms,
  { what, packages }: { what: "Publish" | "Change"; packages: readonly string[] },
): ApprovalSubject => ({
  entity: "promotions",
  recordId: id,
  summary: `${what} ${terms.name}`,
  facts: [
    { label: "Discount", value: discountOf(terms) },
    { label: "Duration", value: durationOf(terms) },
    { label: "Applies to", value: packages.join(", ") || "All packages" },
    { label: "Eligible customers", value: terms.audience },
    { label: "Requires a code", value: terms.requiresCode ? "Yes" : "No" },
    { label: "Redemption limit", value: String(terms.redemptionLimit ?? "None") },
    { label: "Limit per customer", value: String(terms.redemptionLimitPerCustomer ?? "None") },
    { label: "Budget", value: budgetsOf(terms) },
    { label: "Start date", value: terms.startsAt?.toISOString() ?? "When published" },
    { label: "End date", value: terms.endsAt?.toISOString() ?? "None" },
  ],
  basis: {},
});

const isHigher = (next: number | null, now: number | null) =>
  now !== null && (next === null || next > now);

/** Whether a published promotion would give something else, more, for longer or to others. */
export const givesMore = (
  stored: Promotion,
  given: PromotionDetails,
  customersNow: readonly string[],
) => {
  const budgetIn = (list: PromotionDetails["amounts"], currency: string) =>
    list.find((one) => one.currency === currency)?.budget ?? null;
  return (
    lockedFieldsOf(stored, given).length > 0 ||
    given.stacking !== stored.stacking ||
    isHigher(given.redemptionLimit, stored.redemptionLimit) ||
    isHigher(given.redemptionLimitPerCustomer, stored.redemptionLimitPerCustomer) ||
    isHigher(given.endsAt?.getTime() ?? null, stored.endsAt?.getTime() ?? null) ||
    stored.amounts.some(({ currency, budget }) =>
      isHigher(budgetIn(given.amounts, currency), budget),
    ) ||
    given.customers.some((email) => !customersNow.includes(email))
  );
};
