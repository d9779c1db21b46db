import type { AppStatus } from "@purser/contract/apps/fields";
import type { Grant } from "@purser/contract/entitlements/grants";
import type { FeatureStatus } from "@purser/contract/features/fields";
import type { Message } from "@purser/contract/messages/message";
import type { Package } from "@purser/contract/packages/fields";
import { message } from "#platform/messages.ts";

type Refusal = { code: "wrong_state"; detail: Message };

const wrongState = (detail: Message): Refusal => ({ code: "wrong_state", detail });

type Customer = { name: string; status: "invited" | "active" | "suspended" | "erased" };

/** Why nothing can be granted to a customer, or null. */
export const refusalOfCustomer = ({ name, status }: Customer): Refusal | null => {
  if (status === "erased")
    return wrongState(
      message("customer_erased", "This customer was erased. You can't grant them access."),
    );
  if (status === "suspended")
    return wrongState(
      message(
        "customer_suspended",
        "{customer} is suspended. Reactivate them before you grant access.",
        { customer: name },
      ),
    );
  return null;
};

type Offer = Pick<Package, "name" | "status"> & { versionId: string | null };

/** Why a package can't be granted, or null. */
export const refusalOfPackage = ({ name, status, versionId }: Offer): Refusal | null => {
  if (status === "archived")
    return wrongState(
      message(
        "grant_package_archived",
        "{package} is archived. Restore it before you grant access.",
        { package: name },
      ),
    );
  if (status === "draft" || versionId === null)
    return wrongState(
      message(
        "grant_package_unpublished",
        "{package} isn't on sale. Publish a version before you grant access.",
        { package: name },
      ),
    );
  return null;
};

/** Why a customer can't have this package together with another one of its group, or null. */
export const refusalOfSecondPackage = (
  customer: Pick<Customer, "name">,
  given: Pick<Package, "name">,
  other: Pick<Package, "name"> | undefined,
): Refusal | null =>
  other
    ? wrongState(
        message(
          "grant_group_taken",
          "{customer} already has {other} in the same group as {package}. Revoke {other} first.",
          { customer: customer.name, other: other.name, package: given.name },
        ),
      )
    : null;

type GrantedFeature = {
  name: string;
  status: FeatureStatus;
  app: { name: string; status: AppStatus };
};

/** Why a feature can't be granted, or null. */
export const refusalOfFeature = ({ name, status, app }: GrantedFeature): Refusal | null => {
  if (app.status === "archived")
    return wrongState(
      message("grant_app_archived", "{app} is archived. Restore it before you grant access.", {
        app: app.name,
      }),
    );
  if (status === "archived")
    return wrongState(
      message(
        "grant_feature_archived",
        "{feature} is archived. Restore it before you grant access.",
        { feature: name },
      ),
    );
  return status === "draft"
    ? wrongState(
        message(
          "grant_feature_draft",
          "{feature} is a draft. Activate it before you grant access.",
          {
            feature: name,
          },
        ),
      )
    : null;
};

/** Why a grant can't be revoked, or null. */
export const refusalToRevoke = (
  { revokedAt, endsAt }: Pick<Grant, "revokedAt" | "endsAt">,
  now: Date,
): Refusal | null => {
  if (revokedAt)
    return wrongState(message("grant_already_revoked", "This grant is already revoked."));
  if (endsAt && endsAt <= now)
    return wrongState(message("grant_already_ended", "This grant has already ended."));
  return null;
};
