import type { Grant } from "@purser/contract/entitlements/grants";
import type { FeatureStatus } from "@purser/contract/features/fields";
import type { Package } from "@purser/contract/packages/fields";

type Refusal = { code: "wrong_state"; detail: string };

const wrongState = (detail: string): Refusal => ({ code: "wrong_state", detail });

type Customer = { name: string; status: "invited" | "active" | "suspended" | "erased" };

/** Why nothing can be granted to a customer, or null. */
export const refusalOfCustomer = ({ name, status }: Customer): Refusal | null => {
  if (status === "erased")
    return wrongState("This person was erased. Nothing can be given to them any more.");
  if (status === "suspended")
    return wrongState(`${name} is suspended. Let them in again before you give them anything.`);
  return null;
};

type Offer = Pick<Package, "name" | "status"> & { versionId: string | null };

/** Why a package can't be granted, or null. */
export const refusalOfPackage = ({ name, status, versionId }: Offer): Refusal | null => {
  if (status !== "active")
    return wrongState(`Only an active package can be given. ${name} is ${status}.`);
  if (versionId === null)
    return wrongState(`No version of ${name} is on sale. Publish one before you give it.`);
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
        `${customer.name} has ${other.name}, and nobody has two base packages of one group. ` +
          `Revoke ${other.name} before you give ${given.name}.`,
      )
    : null;

/** Why a feature can't be granted, or null. */
export const refusalOfFeature = ({
  name,
  status,
}: {
  name: string;
  status: FeatureStatus;
}): Refusal | null =>
  status === "active"
    ? null
    : wrongState(`Only an active feature can be given. ${name} is ${status}.`);

/** Why a grant can't be revoked, or null. */
export const refusalToRevoke = (
  { revokedAt, endsAt }: Pick<Grant, "revokedAt" | "endsAt">,
  now: Date,
): Refusal | null => {
  if (revokedAt) return wrongState("This right was revoked already.");
  if (endsAt && endsAt <= now) return wrongState("This right has ended already.");
  return null;
};
