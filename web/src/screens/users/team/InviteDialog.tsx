import "#ui/form/form.css";
import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import type { Role } from "@purser/contract/auth/permissions";
import { inviteTeamMember } from "@purser/contract/users/team";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { useSignInMethods } from "#lib/session/signInMethods.ts";
import { ActionDialog } from "#ui/dialogs/ActionDialog.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { roleCards } from "./labels.ts";
import { teamChanged } from "./queries.ts";

/** Invites a team member with a role. */
export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const [role, setRole] = useState<Role>("viewer");
  const { passwords } = useSignInMethods();
  const bodyOf = (read: (field: string) => string) => ({
    email: read("email").trim(),
    name: read("name").trim(),
    role,
  });
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Invite a team member`}
      fact={
        passwords
          ? t`We'll email a link to set a password. It works for 3 days.`
          : t`We'll email a link to sign in with SSO.`
      }
      sign={{ icon: "users", tone: "info" }}
      button={t`Send invitation`}
      changed={teamChanged}
      action={(read, keyFor) => {
        const body = bodyOf(read);
        return call(inviteTeamMember, { body, key: keyFor(body) });
      }}
      wanted={(read) => ({
        operation: "POST /team",
        params: {},
        body: bodyOf(read),
        version: null,
      })}
      told={({ email }) => t`Invitation sent to ${email}`}
    >
      {(errors) => (
        <>
          <TextInput
            label={t`Email`}
            name="email"
            type="email"
            autoComplete="off"
            error={errors["email"]}
            data-autofocus
          />
          <TextInput
            label={t`Name`}
            name="name"
            autoComplete="off"
            maxLength={120}
            error={errors["name"]}
          />
          <RadioCards
            legend={t`Role`}
            path="role"
            cards={roleCards}
            value={role}
            onChange={setRole}
          />
        </>
      )}
    </ActionDialog>
  );
};
