import type { Grant } from "@purser/contract/entitlements/grants";
import type { FeatureStatus } from "@purser/contract/features/fields";
import type { Package } from "@purser/contract/packages/fields";

type Refusal = { code: "wrong_state"; detail: string };

const wrongState = (detail: string): Refusal => ({ code: "wrong_state", detail });

type Person = { name: string; status: "invited" | "active" | "suspended" | "erased" };

/** Why nothing may be given to this person, or null. */
export const refusalOfCustomer = ({ name, status }: Person): Refusal | null => {
  if (status === "erased")
    return wrongState("This person was erased. Nothing can be given to them any more.");
  if (status === "suspended")
    return wrongState(`${name} is suspended. Let them in again before you give them anything.`);
  return null;
};

type Offer = Pick<Package, "name" | "status"> & { versionId: string | null };

/** Why nobody may be given this package, or null. */
export const refusalOfPackage = ({ name, status, versionId }: Offer): Refusal | null => {
  if (status !== "active")
    return wrongState(`Only an active package can be given. ${name} is ${status}.`);
  if (versionId === null)
    return wrongState(`No version of ${name} is on sale. Publish one before you give it.`);
  return null;
};

/** Why somebody who holds that other package of the group may not be given this one, or null. */
export const refusalBeside = (
  person: Pick<Person, "name">,
  given: Pick<Package, "name">,
  held: Pick<Package, "name"> | undefined,
): Refusal | null =>
  held
    ? wrongState(
        `${person.name} has ${held.name}, and nobody has two base packages of one group. ` +
          `Revoke ${held.name} before you give ${given.name}.`,
      )
    : null;

/** Why nobody may be given this feature, or null. */
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

/** Why a right cannot be ended, or null. */
export const refusalToRevoke = (
  { revokedAt, endsAt }: Pick<Grant, "revokedAt" | "endsAt">,
  now: Date,
): Refusal | null => {
  if (revokedAt) return wrongState("This right was revoked already.");
  if (endsAt && endsAt <= now) return wrongState("This right has ended already.");
  return null;
};
