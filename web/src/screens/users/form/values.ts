import { t } from "@lingui/core/macro";
import { type Role, roles } from "@purser/contract/auth/permissions";
import { defaultsOf, pick } from "@purser/contract/fields/declarations";
import { newUser, type UserDetails, userFields, userWritable } from "@purser/contract/users/fields";
import { z } from "zod";
import { toFormLabels } from "#ui/form/Field.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { addressText, countryOf, languageOf, roleLabels } from "../labels.ts";
import type { User } from "../queries.ts";

/** The values of both forms; customers and team members each use their own fields. */
export type UserValues = Pick<User, keyof UserDetails> & {
  kind: "customer" | "team";
  role: Role;
  note: string;
};

export type UserRecordForm = RecordForm<UserValues>;

export const emptyUser: UserValues = {
  kind: "customer",
  name: "",
  email: "",
  role: "viewer",
  ...defaultsOf(userFields),
  note: "",
};

const { reason: _, ...ofCustomer } = newUser.shape;

export const userSchema = z.discriminatedUnion("kind", [
  z.object({ ...ofCustomer, kind: z.literal("customer") }),
  z.object({
    kind: z.literal("team"),
    name: ofCustomer.name,
    email: ofCustomer.email,
    role: z.enum(roles),
  }),
]);

/** The request body for a customer. */
export const detailsOf = (values: UserValues) => pick(values, userWritable);

/** Address fields have their own inputs and errors. */
export const partedFields = ["address"] as const;

const addressPart = ([part = ""]: string[]) => {
  if (part === "postalCode") return t`Postal code`;
  return part === "city" ? t`City` : t`Street address`;
};

export const valuesOf = (user: User): { values: UserValues; version: number } => {
  const { role, version } = user;
  return {
    values: {
      ...emptyUser,
      ...pick(user, userWritable),
      ...(role && { kind: "team", role }),
    },
    version,
  };
};

const named = (nameOf: (code: string) => string) => (value: string | null) =>
  value === null ? "" : nameOf(value);

export const formLabels = toFormLabels<UserValues, typeof userFields>(userFields, {
  kind: { label: t`Type`, show: (kind) => (kind === "team" ? t`Team member` : t`Customer`) },
  role: { show: (role) => roleLabels[role].label },
  address: { show: addressText, part: addressPart },
  country: { show: named(countryOf) },
  locale: { show: named(languageOf) },
  note: { label: t`Note` },
});
