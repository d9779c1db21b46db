import type { Role } from "@purser/contract/auth/permissions";
import { closestLocale } from "@purser/contract/fields/places";
import type { AppCustomer, CustomerUpsert } from "@purser/contract/users/appCustomers";
import type { UserStatus } from "@purser/contract/users/fields";
import { fieldError, type Refusal } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

type Details = Pick<AppCustomer, "externalId" | "email" | "name" | "country" | "locale">;

/** A stored user who has the external ID or the email address. */
export type Known = Details & {
  id: string;
  status: UserStatus;
  role: Role | null;
};

export type NewCustomer = Details & { externalId: string };
export type Changes = Partial<Details>;

type Sent = CustomerUpsert & { externalId: string };
type Found = { byExternalId: Known | null; byEmail: Known | null };

type Decision =
  | { refusal: Refusal; personal: string[] }
  | { create: NewCustomer }
  | { update: Known; changes: Changes };

const refused = (code: Refusal["code"], detail: Refusal["detail"], personal: string[] = []) => ({
  refusal: { code, detail, errors: [fieldError("/email", detail)] },
  personal,
});

/** Doesn't say who has the address, because team members aren't visible to everyone. */
const notOfCustomer = () =>
  refused(
    "invalid",
    message(
      "email_not_of_customer",
      "This email address can't be used for a customer. Choose another one.",
    ),
  );

const taken = ({ externalId }: Known) =>
  externalId === null
    ? refused(
        "taken",
        message(
          "email_of_other_customer",
          "Another customer without an external ID has this email address. Merge the two customers in Purser, or send another email address.",
        ),
      )
    : refused(
        "taken",
        message(
          "email_of_external_id",
          "The customer with the external ID {externalId} has this email address. Use that external ID, or merge the two customers in Purser.",
          { externalId },
        ),
        [externalId],
      );

const erased = () =>
  refused(
    "wrong_state",
    message("customer_erased_locked", "This customer was erased and can't be changed."),
  );

/** Only what differs, so that a repeated request changes nothing. */
const changesOf = (stored: Known, sent: Sent, byEmail: Known | null): Changes => {
  const { name = stored.name, country = stored.country, locale = stored.locale } = sent;
  const next: Details = {
    name,
    country,
    locale,
    // Theirs already, or that of a record that was merged into this one, which keeps it.
    email: byEmail ? stored.email : sent.email,
    // An external ID can't be replaced. The other one still finds the customer after a merge.
    externalId: stored.externalId ?? sent.externalId,
  };
  return Object.fromEntries(
    Object.entries(next).filter(([field, value]) => stored[field as keyof Details] !== value),
  );
};

/** With the closest of our languages, because apps send those of devices, such as de-AT. */
const withLocale = ({ locale, ...sent }: Sent): Sent => ({
  ...sent,
  ...(locale !== undefined && { locale: locale && closestLocale(locale) }),
});

const nameFrom = (email: string) => [...(email.split("@")[0] ?? "")].slice(0, 120).join("");

const refusalOf = ({ byExternalId, byEmail }: Found) => {
  const owner = byExternalId ?? byEmail;
  if (byEmail?.role || byExternalId?.role) return notOfCustomer();
  if (owner?.status === "erased" || byEmail?.status === "erased") return erased();
  const isOther = byEmail !== null && byExternalId !== null && byEmail.id !== byExternalId.id;
  return isOther ? taken(byEmail) : null;
};

/** What creating or updating a customer by the external ID does. */
export const decideUpsert = (found: Found, asSent: Sent): Decision => {
  const sent = withLocale(asSent);
  const refusal = refusalOf(found);
  if (refusal) return refusal;
  const { byExternalId, byEmail } = found;
  if (byExternalId)
    return { update: byExternalId, changes: changesOf(byExternalId, sent, byEmail) };
  if (!byEmail) {
    const { externalId, email, name = nameFrom(email), country = null, locale = null } = sent;
    return { create: { externalId, email, name, country, locale } };
  }
  // Known by the address only, such as a customer who bought before registering in the app.
  return byEmail.externalId === null
    ? { update: byEmail, changes: changesOf(byEmail, sent, byEmail) }
    : taken(byEmail);
};
