import { allows, type Holder } from "@purser/contract/auth/permissions";
import {
  type ServiceAccount,
  serviceAccountsMax,
  validKeysMax,
} from "@purser/contract/users/serviceAccounts";
import type { Refusal } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

type Account = Pick<ServiceAccount, "status">;

export const refusalToAdd = (accounts: number): Refusal | null =>
  accounts < serviceAccountsMax
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "service_accounts_many",
          "There can be up to {max} service accounts. Change one that is no longer used.",
          { max: serviceAccountsMax },
        ),
      };

/** The place of the first permission that the role doesn't have, or -1. */
export const foreignPermission = ({ role, permissions }: Holder) =>
  permissions?.findIndex((permission) => !allows(role, permission)) ?? -1;

export const refusalToAddKey = ({ status }: Account, validKeys: number): Refusal | null => {
  if (status === "suspended")
    return {
      code: "wrong_state",
      detail: message(
        "service_account_suspended",
        "This service account is suspended. Reactivate it first.",
      ),
    };
  return validKeys < validKeysMax
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "service_keys_many",
          "A service account can have up to {max} valid keys. Revoke one first.",
          { max: validKeysMax },
        ),
      };
};

type Key = { revokedAt: Date | null; expiresAt: Date };

export const refusalToEndKey = ({ revokedAt, expiresAt }: Key, now: Date): Refusal | null => {
  if (revokedAt !== null)
    return {
      code: "wrong_state",
      detail: message("service_key_revoked", "This key is already revoked."),
    };
  return expiresAt > now
    ? null
    : {
        code: "wrong_state",
        detail: message("service_key_expired", "This key has expired. Create a new one."),
      };
};

export const refusalToSuspend = ({ status }: Account): Refusal | null =>
  status === "active"
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "service_account_already_suspended",
          "This service account is already suspended.",
        ),
      };

export const refusalToRestore = ({ status }: Account): Refusal | null =>
  status === "suspended"
    ? null
    : {
        code: "wrong_state",
        detail: message(
          "service_account_not_suspended",
          "Only suspended service accounts can be reactivated.",
        ),
      };
