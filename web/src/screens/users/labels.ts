import { type Role, roles } from "@purser/contract/auth/permissions";
import { countries } from "@purser/contract/fields/places";
import { type UserStatus, userListFields, userRoles } from "@purser/contract/users/fields";
import { anyPackage } from "#screens/packages/queries.ts";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import type { Relation } from "#ui/record/relation.ts";
import type { StatusWord } from "#ui/Status.tsx";

export const statusLabels: Record<UserStatus, StatusWord> = {
  invited: { word: "Invited", icon: "mail", tone: "info" },
  active: { word: "Active", icon: "circle-check", tone: "ok", quiet: true },
  suspended: { word: "Suspended", icon: "lock", tone: "bad" },
  erased: { word: "Erased", icon: "eraser", tone: "mute" },
};

export const roleLabels: Record<Role, { label: string; help: string }> = {
  owner: { label: "Owner", help: "Everything, and who works here." },
  admin: { label: "Admin", help: "Everything but roles and the office itself." },
  catalogue: { label: "Catalogue", help: "Apps, features, packages and promotions." },
  finance: { label: "Finance", help: "Sales, refunds and what is pending." },
  support: { label: "Support", help: "People, and what they may use." },
  viewer: { label: "Viewer", help: "Looks at everything but staff, and changes nothing." },
};

const regionNames = new Intl.DisplayNames("en", { type: "region" });
const languageNames = new Intl.DisplayNames("en", { type: "language" });

export const countryOf = (code: string) => regionNames.of(code) ?? code;
export const languageOf = (code: string) => languageNames.of(code) ?? code;

const relatedCountry = (code: string) => ({ id: code, code, name: countryOf(code) });

/** Countries by name, in the shape of a record search. */
const anyCountry: Relation = {
  name: "countries",
  scope: "",
  one: "country",
  find: async (typed) => {
    const words = typed.toLowerCase();
    return countries
      .map(relatedCountry)
      .filter(({ name, code }) => `${name} ${code}`.toLowerCase().includes(words))
      .sort((a, b) => a.name.localeCompare(b.name))
      .slice(0, 10);
  },
  read: async (code) => relatedCountry(code),
};

const labelOf = (role: (typeof userRoles)[number]) =>
  role === "customer" ? "Customer" : roleLabels[role].label;

export const fieldWords = listLabels(userListFields, {
  status: {
    options: Object.fromEntries(
      Object.entries(statusLabels).map(([status, { word }]) => [status, word]),
    ),
  },
  package: { relation: anyPackage },
  role: { options: Object.fromEntries(userRoles.map((role) => [role, labelOf(role)])) },
  country: {
    options: Object.fromEntries(countries.map((code) => [code, countryOf(code)])),
    relation: anyCountry,
  },
});

export const staffFilter = `role:any:${roles.join(",")}`;
export const customerFilter = "role:any:customer";
