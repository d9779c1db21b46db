import { t } from "@lingui/core/macro";
import "#ui/form/inputs/CheckboxGroup.css";
import "#ui/styles/choiceSheets.ts";
import { Select, TextInput } from "@mantine/core";
import { allows, type Permission, type Role } from "@purser/contract/auth/permissions";
import {
  changeServiceAccount,
  createServiceAccount,
  serviceRoles,
} from "@purser/contract/users/serviceAccounts";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { permissionNames } from "#lib/labels/permissions.ts";
import { roleNames } from "#lib/labels/roles.ts";
import { ActionDialog, type Errors } from "#ui/dialogs/ActionDialog.tsx";
import type { ServiceAccount } from "../queries.ts";
import { serviceAccountsChanged } from "./serviceAccountsChanged.ts";

/** By the labels, because the contract's own list would be loaded with every page. */
const permissionsIn = (role: Role) =>
  (Object.keys(permissionNames) as Permission[]).filter((one) => allows(role, one));

type ServiceRole = (typeof serviceRoles)[number];

type PermissionsProps = {
  role: Role;
  chosen: ReadonlySet<Permission>;
  onChange: (chosen: ReadonlySet<Permission>) => void;
  errors: Errors;
};

const Permissions = ({ role, chosen, onChange, errors }: PermissionsProps) => {
  const error = Object.entries(errors).find(([field]) => field.startsWith("permissions"))?.[1];
  const toggle = (permission: Permission) => {
    const next = new Set(chosen);
    if (!next.delete(permission)) next.add(permission);
    onChange(next);
  };
  return (
    <fieldset {...(error && { "aria-describedby": "permissions-error" })}>
      <legend className="field-label">{t`Permissions`}</legend>
      <div className="ticks">
        {permissionsIn(role).map((permission) => (
          <label key={permission}>
            <input
              type="checkbox"
              className="box"
              name="permissions"
              checked={chosen.has(permission)}
              onChange={() => toggle(permission)}
            />
            {permissionNames[permission]}
          </label>
        ))}
      </div>
      {error && (
        <p id="permissions-error" className="mantine-InputWrapper-error">
          {error}
        </p>
      )}
    </fieldset>
  );
};

type Props = { account: ServiceAccount | null; onClose: () => void };

/** Creates an account, or changes its name, role and permissions. */
export const AccountDialog = ({ account, onClose }: Props) => {
  const [role, setRole] = useState<Role>(account?.role ?? "finance");
  const [scope, setScope] = useState(account?.permissions ? "some" : "all");
  const [chosen, setChosen] = useState<ReadonlySet<Permission>>(
    new Set(account?.permissions ?? permissionsIn(role)),
  );
  const name = account?.name ?? "";
  const save = (given: string, keyFor: (body: Record<string, unknown>) => string) => {
    const permissions =
      scope === "all" ? null : permissionsIn(role).filter((permission) => chosen.has(permission));
    const body = { name: given, role: role as ServiceRole, permissions };
    return account
      ? call(changeServiceAccount, {
          params: { id: account.id },
          version: account.version,
          body,
        })
      : call(createServiceAccount, { body, key: keyFor(body) });
  };
  return (
    <ActionDialog
      onClose={onClose}
      title={account ? t`Edit ${name}` : t`New service account`}
      fact={t`A service account calls the API with a key. It can't sign in.`}
      sign={{ icon: "key", tone: "info" }}
      button={account ? t`Save account` : t`Create account`}
      size={560}
      action={(read, keyFor) => save(read("name"), keyFor)}
      changed={serviceAccountsChanged}
      told={() => (account ? t`Service account saved` : t`Service account created`)}
    >
      {(errors) => (
        <>
          <TextInput
            label={t`Name`}
            name="name"
            autoComplete="off"
            defaultValue={name}
            description={t`Shown in the history, such as Shop backend.`}
            error={errors["name"]}
            data-autofocus
          />
          <Select
            label={t`Role`}
            data={serviceRoles.map((value) => ({ value, label: roleNames[value] }))}
            value={role}
            onChange={(next) => next && setRole(next as Role)}
            error={errors["role"]}
          />
          <Select
            label={t`Access`}
            data={[
              { value: "all", label: t`All permissions of the role` },
              { value: "some", label: t`Selected permissions` },
            ]}
            value={scope}
            onChange={(next) => next && setScope(next)}
          />
          {scope === "some" && (
            <Permissions role={role} chosen={chosen} onChange={setChosen} errors={errors} />
          )}
        </>
      )}
    </ActionDialog>
  );
};
