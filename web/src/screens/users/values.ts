import { type Role, roles } from "@purser/contract/permissions";
import { email, text } from "@purser/contract/text";
import { newUser } from "@purser/contract/users";
import { z } from "zod";
import type { FormWords } from "#ui/form/Field.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import type { User } from "./queries.ts";
import { countryOf, languageOf, roleWords } from "./words.ts";

/** What the forms hold, of a customer or of somebody who works here: either uses what is its own. */
export type PersonValues = Pick<
  User,
  "name" | "email" | "externalId" | "country" | "locale" | "timeZone"
> & { kind: "customer" | "staff"; role: Role; note: string };

export type PersonForm = RecordForm<PersonValues>;

export const emptyPerson: PersonValues = {
  kind: "customer",
  name: "",
  email: "",
  role: "viewer",
  externalId: null,
  country: null,
  locale: null,
  timeZone: null,
  note: "",
};

const { reason: _, ...ofCustomer } = newUser.shape;

export const personSchema = z.discriminatedUnion("kind", [
  z.object({ ...ofCustomer, kind: z.literal("customer") }),
  z.object({
    kind: z.literal("staff"),
    name: text({ min: 1, max: 120 }),
    email,
    role: z.enum(roles),
  }),
]);

/** What is sent of a customer. */
export const detailsOf = (values: PersonValues) => {
  const { name, email: address, externalId, country, locale, timeZone } = values;
  return { name, email: address, externalId, country, locale, timeZone };
};

export const valuesOf = (user: User): { values: PersonValues; version: number } => {
  const { name, email: address, externalId, country, locale, timeZone, role, version } = user;
  return {
    values: {
      ...emptyPerson,
      name,
      email: address,
      externalId,
      country,
      locale,
      timeZone,
      ...(role && { kind: "staff", role }),
    },
    version,
  };
};

const named = (nameOf: (code: string) => string) => (value: string | null) =>
  value === null ? "" : nameOf(value);

export const formWords: FormWords<PersonValues> = {
  kind: { label: "Kind", show: (kind) => (kind === "staff" ? "Member of staff" : "Customer") },
  name: { label: "Name" },
  email: { label: "E-mail" },
  role: { label: "Role", show: (role) => roleWords[role].label },
  externalId: { label: "External id" },
  country: { label: "Country", show: named(countryOf) },
  locale: { label: "Language", show: named(languageOf) },
  timeZone: { label: "Time zone" },
  note: { label: "Note" },
};
