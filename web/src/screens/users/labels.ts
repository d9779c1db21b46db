import { t } from "@lingui/core/macro";
import { type Role, roles } from "@purser/contract/auth/permissions";
import { countries } from "@purser/contract/fields/places";
import { type UserStatus, userListFields } from "@purser/contract/users/fields";
import { byName, nameOf } from "#lib/intl.ts";
import { roleNames } from "#lib/labels/roles.ts";
import { userStatusNames } from "#lib/labels/users.ts";
import { anyPackage } from "#screens/packages/queries.ts";
import { listLabels, optionsOf } from "#ui/list/filters/filterLabels.ts";
import type { Relation } from "#ui/record/relation.ts";
import type { StatusWord } from "#ui/Status.tsx";

export const statusLabels: Record<UserStatus, StatusWord> = {
  invited: { word: userStatusNames.invited, icon: "mail", tone: "info" },
  active: { word: userStatusNames.active, icon: "circle-check", tone: "ok", quiet: true },
  suspended: { word: userStatusNames.suspended, icon: "lock", tone: "bad" },
  erased: { word: userStatusNames.erased, icon: "eraser", tone: "mute" },
};

export const roleLabels: Record<Role, { label: string; help: string }> = {
  owner: { label: roleNames.owner, help: t`Full access, including team and settings.` },
  admin: { label: roleNames.admin, help: t`Everything except roles and settings.` },
  catalog: { label: roleNames.catalog, help: t`Apps, features, packages and promotions.` },
  finance: { label: roleNames.finance, help: t`Sales, refunds and pending payments.` },
  support: { label: roleNames.support, help: t`Customers and their access.` },
  viewer: { label: roleNames.viewer, help: t`Read-only access to everything except the team.` },
};

export const countryOf = (code: string) => nameOf("region", code);
export const languageOf = (code: string) => nameOf("language", code);

type Address = { lines: readonly string[]; postalCode: string | null; city: string | null };

const addressLines = (address: Address | null) =>
  address
    ? [...address.lines, [address.postalCode, address.city].filter(Boolean).join(" ")].filter(
        Boolean,
      )
    : [];

/** A postal address in one line. */
export const addressText = (address: Address | null) => addressLines(address).join(", ");

type Billed = {
  address: Address | null;
  region: string | null;
  country: string | null;
};

/** An address as on a letter, one entry per line. */
export const billingLines = ({ address, region, country }: Billed) => {
  const lines = addressLines(address);
  return lines.length === 0 && region === null
    ? []
    : [...lines, ...(region ? [region] : []), ...(country ? [countryOf(country)] : [])];
};

const relatedCountry = (code: string) => ({ id: code, code, name: countryOf(code) });

/** Countries by name, in the shape of a record search. */
const anyCountry: Relation = {
  name: "countries",
  scope: "",
  find: async (typed) => {
    const words = typed.toLowerCase();
    return countries
      .map(relatedCountry)
      .filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(words))
      .sort((a, b) => byName(a.name, b.name))
      .slice(0, 10);
  },
  read: async (code) => relatedCountry(code),
};

export const fieldLabels = listLabels(userListFields, {
  status: {
    options: optionsOf(statusLabels),
  },
  package: { relation: anyPackage },
  role: { options: { customer: t`Customer`, ...roleNames } },
  country: {
    options: Object.fromEntries(countries.map((code) => [code, countryOf(code)])),
    relation: anyCountry,
  },
});

export const teamFilter = `role:any:${roles.join(",")}`;
export const customerFilter = "role:any:customer";
