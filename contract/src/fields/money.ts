import { z } from "zod";
import { rule } from "../messages/rules.ts";
import { amountMax, currencies, isCurrency } from "./amounts.ts";
import { negative } from "./commonRules.ts";
import { plain, token } from "./text.ts";

export const currency = token(
  /^[A-Z]{3}$/,
  rule("currency_invalid", "Choose a currency, such as EUR."),
)
  .refine((code) => isCurrency(code), rule("currency_invalid", "Choose a currency, such as EUR."))
  .meta({ enum: currencies });

/** An amount of money in the currency's minor unit: 12.50 EUR is 1250. */
export const amount = z
  .int(
    rule("amount_fraction", "Enter the amount in the currency's smallest unit, as a whole number."),
  )
  .min(0, negative)
  .max(amountMax, rule("amount_too_large", "This amount is too large."));

export const money = z.object({ amount, currency: plain }).meta({ id: "Money" });
export type Money = z.output<typeof money>;
