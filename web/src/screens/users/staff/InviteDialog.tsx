import "#ui/form/form.css";
import { TextInput } from "@mantine/core";
import type { Role } from "@purser/contract/auth/permissions";
import { inviteStaffMember } from "@purser/contract/users/team";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { useSignInMethods } from "#lib/session/signInMethods.ts";
import { ActionDialog } from "#ui/dialogs/ActionDialog.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { roleCards } from "./labels.ts";
import { staffChanged } from "./queries.ts";

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
      title="Invite a colleague"
      fact={
        passwords
          ? "They get a mail with a link that works for three days and sets a password."
          : "They get a mail that leads to the company sign-in."
      }
      sign={{ icon: "users", tone: "info" }}
      button="Send invitation"
      changed={staffChanged}
      act={(read, keyFor) => {
        const body = bodyOf(read);
        return call(inviteStaffMember, { body, key: keyFor(body) });
      }}
      wanted={(read) => ({
        operation: "POST /staff",
        params: {},
        body: bodyOf(read),
        version: null,
      })}
      told={({ email }) => `An invitation is on its way to ${email}.`}
    >
      {(errors) => (
        <>
          <TextInput
            label="Mail"
            name="email"
            type="email"
            autoComplete="off"
            error={errors["email"]}
            data-autofocus
          />
          <TextInput
            label="Name"
            name="name"
            autoComplete="off"
            maxLength={120}
            error={errors["name"]}
          />
          <RadioCards legend="Role" path="role" cards={roleCards} value={role} onChange={setRole} />
        </>
      )}
    </ActionDialog>
  );
};
