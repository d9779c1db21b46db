import { TextInput } from "@mantine/core";
import { giveAccess, revokeAccess } from "@purser/contract/entitlements/grants";
import { call } from "#lib/api/call.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { EndDate, useEndDate } from "#ui/form/inputs/EndDate.tsx";
import { type Grant, type Package, packagesChanged } from "../queries.ts";

const nameOf = ({ name, email }: Grant["user"]) => name || email;

type GrantProps = { stored: Package; onClose: () => void };

export const GrantAccessDialog = ({ stored, onClose }: GrantProps) => {
  const { id: packageId, name, onSale } = stored;
  const until = useEndDate();
  return (
    <ActionDialog
      onClose={onClose}
      title={`Give access to ${name}`}
      fact={`The person gets version ${onSale?.number ?? ""}, without paying.`}
      sign={{ icon: "gift", tone: "info" }}
      button="Give access"
      changed={packagesChanged}
      isReady={until.isReady}
      act={(read, keyFor) => {
        const endsAt = until.end?.toISOString() ?? null;
        const body = { email: read("email").trim(), packageId, endsAt, reason: read("reason") };
        return call(giveAccess, { body, key: keyFor(body) });
      }}
      told={({ user }) => `${nameOf(user)} holds ${name} now.`}
    >
      {(errors) => (
        <>
          <TextInput
            label="Mail"
            name="email"
            type="email"
            autoComplete="off"
            description="Somebody who is not known yet becomes a customer."
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

export const RevokeDialog = ({ stored, grant, onClose }: RevokeProps) => (
  <ActionDialog
    onClose={onClose}
    isHard
    title={`Revoke the access of ${nameOf(grant.user)}?`}
    fact="It ends now. The right is kept in the history, with your reason."
    sign={{ icon: "ban", tone: "bad" }}
    button="Revoke access"
    changed={packagesChanged}
    act={(read) =>
      call(revokeAccess, { params: { id: grant.id }, body: { reason: read("reason") } })
    }
    told={() => `${nameOf(grant.user)} no longer holds ${stored.name}.`}
  >
    {(errors) => (
      <>
        <Consequences
          of={[
            { icon: "ban", what: "Rights that end now", amount: "1" },
            {
              icon: "package",
              what: `Version of ${stored.name}`,
              amount: String(grant.package?.number ?? "–"),
            },
          ]}
        />
        <Reason errors={errors} isAutoFocus />
      </>
    )}
  </ActionDialog>
);
