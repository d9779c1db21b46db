import { z } from "zod";
import { between } from "../fields/commonRules.ts";
import { instant } from "../fields/primitives.ts";
import { email, plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";

/** How an app names a customer: by its own ID, ours or the email address. */
export const customerIdentifier = text({ min: 1, max: 254 });

/** Who buys: a customer that exists, or an email address that may be new. */
export const buyer = { user: customerIdentifier.optional(), email: email.optional() };

type Buyer = { user?: string | undefined; email?: string | undefined };

export const namesOneBuyer = ({ user, email: address }: Buyer) =>
  (user === undefined) !== (address === undefined);
export const oneBuyer = {
  path: ["email"],
  error: rule("buyer_ambiguous", "Name the customer in either user or email."),
};

/** The header in which a browser sends the token, next to the publishable key. */
export const customerTokenHeader = "purser-customer-token";

const validMinutes = { min: 5, max: 15, default: 10 };
const outOfRange = between(validMinutes.min, validMinutes.max);

export const createCustomerToken = endpoint({
  method: "POST",
  path: "/customer-tokens",
  summary:
    "Create a short-lived token with which a browser checks the entitlements of one customer",
  permission: "app key",
  // Every token is valid on its own and nothing is stored, so a repeat is harmless.
  keyed: false,
  body: z.strictObject({
    user: customerIdentifier,
    /** How long the token is valid. */
    minutes: z
      .int(outOfRange)
      .min(validMinutes.min, outOfRange)
      .max(validMinutes.max, outOfRange)
      .default(validMinutes.default),
  }),
  reply: z.object({ token: plain, expiresAt: instant }).meta({ id: "CustomerToken" }),
  status: 201,
});
