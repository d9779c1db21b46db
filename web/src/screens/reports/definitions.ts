import { t } from "@lingui/core/macro";

/** What the words of a report mean. docs/reports.md has the same. */
export const definitions: Record<string, [word: string, meaning: string][]> = {
  revenue: [
    [t`Payments`, t`settled payments. One for several packages counts under the first`],
    [t`Charged`, t`settled payments minus the credits of changes, with tax`],
    [t`Tax`, t`tax of what was charged, minus returned tax`],
    [t`Refunds and disputes`, t`with tax, on the day they were settled`],
    [t`Net revenue`, t`charged minus tax, refunds and disputes`],
    [t`Country`, t`the country that the tax was calculated for`],
    [t`Promotion`, t`the one with the highest discount of a payment`],
  ],
  promotions: [
    [t`Promotion`, t`the one with the highest discount of a payment`],
    [t`Redemptions`, t`payments with a promotion, each counted once`],
    [t`Discount`, t`what promotions took off prices, also off those of renewals`],
    [t`Without a promotion`, t`also renewals whose discount started with an earlier payment`],
    [t`Charged`, t`settled payments minus the credits of changes, with tax`],
    [t`Net revenue`, t`charged minus tax, refunds and disputes`],
  ],
  mrr: [
    [t`MRR`, t`net price of paid subscriptions per month, after discounts`],
    [t`New`, t`the first subscription of a customer in this currency`],
    [t`Expansion`, t`more per month than the day before`],
    [t`Contraction`, t`less per month than the day before`],
    [t`Churn`, t`the last subscription ended or was paused`],
    [t`Reactivation`, t`customers who return after their subscription ended`],
  ],
  retention: [
    [t`Cohort`, t`customers by the month of their first payment, without trials`],
    [t`Still subscribed`, t`a paid subscription at the end of the month`],
    [t`Weighted average`, t`all cohorts that have reached the month`],
  ],
  share: [
    [t`List price`, t`lowest monthly price of a package on sale with only this app`],
    [t`Features`, t`number of the app's features in the package`],
    [t`Equal parts`, t`also used if an app of the package has no list price`],
    [t`Rounding`, t`by largest remainder, so columns equal the package's revenue`],
  ],
};
