import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { grantAccess, revokeAccess } from "@purser/contract/entitlements/grants";
import { call } from "#lib/api/call.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { EndDate, useEndDate } from "#ui/form/inputs/EndDate.tsx";
import { type Grant, type Package, packagesChanged } from "../queries.ts";

const nameOf = ({ name, email }: Grant["user"]) => name || email;

type GrantProps = { stored: Package; onClose: () => void };

export const GrantAccessDialog = ({ stored, onClose }: GrantProps) => {
  const { id: packageId, name, onSale } = stored;
  const number = onSale?.number ?? "";
  const until = useEndDate();
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Grant access to ${name}`}
      fact={t`The customer gets version ${number} for free.`}
      sign={{ icon: "gift", tone: "info" }}
      button={t`Grant access`}
      changed={packagesChanged}
      isReady={until.isReady}
      action={(read, keyFor) => {
        const endsAt = until.end?.toISOString() ?? null;
        const body = { email: read("email").trim(), packageId, endsAt, reason: read("reason") };
        return call(grantAccess, { body, key: keyFor(body) });
      }}
      told={({ user }) => {
        const customer = nameOf(user);
        return t`${customer} has access to ${name}`;
      }}
    >
      {(errors) => (
        <>
          <TextInput
            label={t`Email`}
            name="email"
            type="email"
            autoComplete="off"
            description={t`A new address creates a customer.`}
            error={errors["email"]}
            data-autofocus
          />
          <EndDate until={until} error={errors["endsAt"]} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};

type RevokeProps = { stored: Package; grant: Grant; onClose: () => void };

export const RevokeDialog = ({ stored, grant, onClose }: RevokeProps) => {
  const { name } = stored;
  const customer = nameOf(grant.user);
  return (
    <ActionDialog
      onClose={onClose}
      isHard
      title={t`Revoke access of ${customer}?`}
      fact={t`Access ends now. Your reason is saved in the history.`}
      sign={{ icon: "ban", tone: "bad" }}
      button={t`Revoke access`}
      changed={packagesChanged}
      action={(read) =>
        call(revokeAccess, { params: { id: grant.id }, body: { reason: read("reason") } })
      }
      told={() => t`Access of ${customer} revoked`}
    >
      {(errors) => (
        <>
          <Consequences
            of={[
              { icon: "ban", what: t`Grants revoked now`, amount: "1" },
              {
                icon: "package",
                what: t`Version of ${name}`,
                amount: String(grant.package?.number ?? "–"),
              },
            ]}
          />
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};
