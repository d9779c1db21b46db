import { email, text } from "@purser/contract/fields/text";
import { paymentRequests, provider as providerSchema } from "@purser/contract/transactions/fields";
import { userFields } from "@purser/contract/users/fields";
import { message } from "#platform/messages.ts";
import type { CellReader } from "./cells.ts";

// What subscriptions and transactions of another system have in common.

/** The provider of rows that name none. */
const unnamed = "imported";

/** Stripe's IDs show where they come from, so that its later notifications find the record. */
const providerOf = (reference: string) =>
  /^(ch|pi|py|in|sub)_\w/.test(reference) ? "stripe" : unnamed;

/** Whether another system bills the record, and sends notifications with its reference. */
export const isBilledElsewhere = (provider: string) => provider !== unnamed;

/** "stripe sub_123". References of two providers may be the same. */
export const keyOf = (provider: string, reference: string) => `${provider} ${reference}`;

/** "paypal-inc" for "PayPal Inc.", because it becomes part of an account's name. */
const providerName = (typed: string) =>
  typed
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** The reference of a row or of another record that it names, with its provider. */
export const readReference = (
  { value, refuse }: CellReader,
  field: "reference" | "subscription",
) => {
  const reference = value(field, text({ max: 200 }), { isRequired: field === "reference" });
  const given = value("provider", providerSchema, {
    from: providerName,
  });
  if (given !== null && paymentRequests.includes(given))
    refuse(
      "provider",
      message("import_provider_reserved", "This name is reserved. Use the payment provider's."),
    );
  return reference === null ? null : { reference, provider: given ?? providerOf(reference) };
};

/** The customer of a row, by the external ID or the email address. */
export const readCustomer = ({ value, refuse }: CellReader) => {
  const customerId = value("customerId", userFields.externalId.write);
  const address = value("email", email);
  if (customerId === null && address === null)
    refuse(
      "email",
      message("import_customer_missing", "Enter the customer's external ID or email address."),
    );
  return { customerId, email: address };
};

export const historyErrors = {
  "customer unknown": [
    "email",
    message(
      "import_customer_unknown",
      "No customer has this external ID or email address. Import customers first.",
    ),
  ],
  "team member": ["email", message("import_team_member", "A team member has this email address.")],
  closed: [
    "email",
    message("import_customer_closed", "This customer was erased or merged and can't be changed."),
  ],
  "package unknown": [
    "package",
    message("import_package_unknown", "No package has this code or name."),
  ],
  "package ambiguous": [
    "package",
    message("import_package_ambiguous", "Several packages have this name. Use the package's code."),
  ],
} as const;
