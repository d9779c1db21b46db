import type { Message } from "@purser/contract/messages/message";
import { message } from "#platform/messages.ts";
import { isDiscount, type Promotion } from "./conditions.ts";
import type { TraceEntry } from "./pricing.ts";

const moment = (at: Date) => ({ at: at.toISOString(), time: true });

const audienceMessage = ({ name, audience }: Promotion): Message => {
  const values = { promotion: name };
  switch (audience) {
    case "anyone":
      return message("promotion_for_anyone", "{promotion} is for all customers.", values);
    case "new":
      return message(
        "promotion_for_new",
        "{promotion} is only for customers who never had a package.",
        values,
      );
    case "existing":
      return message(
        "promotion_for_existing",
        "{promotion} is only for customers who have or had a package.",
        values,
      );
    case "listed":
      return message("promotion_for_listed", "{promotion} is only for selected customers.", values);
    case "first purchase":
      return message(
        "promotion_for_first_purchase",
        "{promotion} is only for first-time buyers.",
        values,
      );
  }
};

const startMessage = ({ name, startsAt }: Promotion): Message =>
  startsAt
    ? message("promotion_starts_at", "{promotion} starts on {start}.", {
        promotion: name,
        start: moment(startsAt),
      })
    : message("promotion_not_started", "{promotion} hasn't started yet.", { promotion: name });

const endMessage = ({ name, endsAt }: Promotion): Message =>
  endsAt
    ? message("promotion_ended_at", "{promotion} ended on {end}.", {
        promotion: name,
        end: moment(endsAt),
      })
    : message("promotion_ended", "{promotion} has ended.", { promotion: name });

const limitMessage = (
  { name, redemptionLimit, redemptionLimitPerCustomer }: Promotion,
  reason: "used up" | "used by buyer",
): Message =>
  reason === "used up"
    ? message(
        "promotion_used_up",
        "{promotion} has reached its limit of {limit, plural, one {# redemption} other {# redemptions}}.",
        { promotion: name, limit: redemptionLimit ?? 0 },
      )
    : message(
        "promotion_used_by_customer",
        "{promotion} is limited to {limit, plural, one {# redemption} other {# redemptions}} per customer, and this customer has reached the limit.",
        { promotion: name, limit: redemptionLimitPerCustomer ?? 0 },
      );

/** Why a promotion no longer applies to renewals. */
const overMessage = (promotion: Promotion): Message => {
  if (!isDiscount(promotion))
    return message("promotion_over_purchase", "{promotion} applied only to the purchase.", {
      promotion: promotion.name,
    });
  const { duration, name } = promotion;
  return message(
    "promotion_over_periods",
    "{promotion} applied only to the first {periods, plural, one {billing period} other {# billing periods}}.",
    { promotion: name, periods: duration.kind === "periods" ? duration.periods : 1 },
  );
};

const refusalMessage = (
  promotion: Promotion,
  reason: NonNullable<TraceEntry["reason"]>,
  currency: string,
): Message => {
  const values = { promotion: promotion.name };
  switch (reason) {
    case "draft":
      return message("promotion_is_draft", "{promotion} is a draft.", values);
    case "archived":
      return message("promotion_is_archived", "{promotion} is archived.", values);
    case "feature archived":
      return message(
        "promotion_feature_is_archived",
        "{promotion} doesn't apply because its feature is archived.",
        values,
      );
    case "paused":
      return message("promotion_is_paused", "{promotion} is paused.", values);
    case "not started":
      return startMessage(promotion);
    case "ended":
      return endMessage(promotion);
    case "used up":
    case "used by buyer":
      return limitMessage(promotion, reason);
    case "code":
      return message("promotion_requires_code", "{promotion} requires a code.", values);
    case "audience":
      return audienceMessage(promotion);
    case "package":
      return message(
        "promotion_other_packages",
        "{promotion} doesn't apply to this package.",
        values,
      );
    case "interval":
      return message(
        "promotion_other_intervals",
        "{promotion} doesn't apply to this billing period.",
        values,
      );
    case "currency":
      return message("promotion_other_currencies", "{promotion} has no amount in {currency}.", {
        ...values,
        currency,
      });
    case "minimum":
      return message("promotion_minimum", "{promotion} requires a minimum purchase of {minimum}.", {
        ...values,
        minimum: { amount: promotion.minimum[currency] ?? 0, currency },
      });
    case "nothing left":
      return message(
        "promotion_nothing_left",
        "{promotion} doesn't apply because nothing is left to discount.",
        values,
      );
    case "budget":
      return message(
        "promotion_over_budget",
        "{promotion} would exceed its remaining budget.",
        values,
      );
    case "beaten":
      return message(
        "promotion_beaten",
        "{promotion} is replaced by a promotion that saves as much or more.",
        values,
      );
    case "over":
      return overMessage(promotion);
  }
};

const effectMessage = (promotion: Promotion, amount: number, currency: string): Message => {
  const values = { promotion: promotion.name };
  if (promotion.kind === "trial")
    return message(
      "promotion_adds_trial",
      "{promotion} extends the free trial by {days, plural, one {# day} other {# days}}.",
      { ...values, days: promotion.days },
    );
  if (promotion.kind !== "feature")
    return message("promotion_discounts", "{promotion} takes {discount} off.", {
      ...values,
      discount: { amount, currency },
    });
  return promotion.days === null
    ? message("promotion_adds_feature", "{promotion} adds a feature.", values)
    : message(
        "promotion_adds_feature_for",
        "{promotion} adds a feature for {days, plural, one {# day} other {# days}}.",
        { ...values, days: promotion.days },
      );
};

/** What a promotion does for an order, or why it doesn't apply. */
export const traceMessage = (
  { amount, reason }: TraceEntry,
  promotion: Promotion,
  currency: string,
): Message =>
  reason ? refusalMessage(promotion, reason, currency) : effectMessage(promotion, amount, currency);
