import { t } from "@lingui/core/macro";
import {
  restoreServiceAccount,
  suspendServiceAccount,
} from "@purser/contract/users/serviceAccounts";
import { call } from "#lib/api/call.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { toast } from "#ui/popups/toast.ts";
import type { ServiceAccount } from "../queries.ts";
import { serviceAccountsChanged } from "./serviceAccountsChanged.ts";

type Props = { account: ServiceAccount; onClose: () => void };

/** Suspends an account, or reactivates it. */
export const StatusDialog = ({ account, onClose }: Props) => {
  const { id, name, version, status } = account;
  const isActive = status === "active";
  return (
    <Confirm
      onClose={onClose}
      isHard={isActive}
      title={isActive ? t`Suspend ${name}?` : t`Reactivate ${name}?`}
      fact={
        isActive
          ? t`Requests with its keys are rejected immediately.`
          : t`Its keys that haven't expired work again.`
      }
      sign={isActive ? { icon: "ban", tone: "bad" } : { icon: "key", tone: "info" }}
      button={isActive ? t`Suspend account` : t`Reactivate account`}
      action={async () => {
        const endpoint = isActive ? suspendServiceAccount : restoreServiceAccount;
        await call(endpoint, { params: { id }, version, body: {} });
        await serviceAccountsChanged();
        toast(isActive ? t`${name} suspended` : t`${name} reactivated`);
      }}
    />
  );
};
