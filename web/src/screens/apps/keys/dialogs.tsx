import { t } from "@lingui/core/macro";
import { number } from "#lib/intl.ts";
import { keyScopeNames } from "#lib/labels/apps.ts";
import { SecretDialog } from "#ui/dialogs/SecretDialog.tsx";
import "#ui/form/inputs/CheckboxGroup.css";
import "#ui/styles/choiceSheets.ts";
import { Button, Select, TextInput } from "@mantine/core";
import { createAppKey, keyKinds, revokeAppKey } from "@purser/contract/apps/keys";
import { keyScopes } from "@purser/contract/auth/keyScopes";
import { type SubmitEvent, useRef, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { fieldErrorsOf } from "#lib/api/fieldErrors.ts";
import type { UserFacingError } from "#lib/api/userFacingError.ts";
import { dayMs } from "#lib/time/dates.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences, Dialog } from "#ui/dialogs/Dialog.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { Moment } from "#ui/Moment.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { toast } from "#ui/popups/toast.ts";
import { kindLabels } from "../labels.ts";
import { type App, type AppKey, appsChanged } from "../queries.ts";
import { OriginsField, originsIn } from "./OriginsField.tsx";

const lifetimes = [
  { value: "90", label: t`90 days` },
  { value: "365", label: t`1 year` },
  { value: "never", label: t`No expiration` },
];

const expiryOf = (lifetime: string, from: number) =>
  lifetime === "never" ? null : new Date(from + Number(lifetime) * dayMs).toISOString();

const secretFact = t`Copy this key now. You won't be able to see it again.`;

type Kind = (typeof keyKinds)[number];
type Errors = Record<string, string | undefined>;

const Scopes = ({ kind, error }: { kind: Kind; error: string | undefined }) => (
  <fieldset {...(error && { "aria-describedby": "scopes-error" })}>
    <legend className="field-label">{t`Permissions`}</legend>
    <div className="ticks">
      {keyScopes.map((scope) => (
        <label key={scope}>
          <input
            type="checkbox"
            className="box"
            name="scopes"
            value={scope}
            defaultChecked={scope === "entitlements:read"}
            disabled={kind === "publishable" && scope !== "entitlements:read"}
          />
          {keyScopeNames[scope]}
        </label>
      ))}
    </div>
    {error && (
      <p id="scopes-error" className="mantine-InputWrapper-error">
        {error}
      </p>
    )}
  </fieldset>
);

const KeySecret = (props: { secret: string; onClose: () => void }) => (
  <SecretDialog
    {...props}
    title={t`Save your API key`}
    copyLabel={t`Copy API key`}
    fact={secretFact}
  />
);

export const CreateKeyDialog = ({ app, onClose }: { app: App; onClose: () => void }) => {
  const [kind, setKind] = useState<Kind>("server");
  const [lifetime, setLifetime] = useState("365");
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  // A second click or a retry after a lost reply reuses the key, so that only one is created.
  const keyFor = useIdempotencyKey();
  const [openedAt] = useState(Date.now);
  const busy = useRef(false);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy.current) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    const scopes = keyScopes.filter((scope) => fields.getAll("scopes").includes(scope));
    const name = String(fields.get("name"));
    const origins = kind === "publishable" ? originsIn(String(fields.get("origins"))) : [];
    const body = { name, kind, scopes, origins, expiresAt: expiryOf(lifetime, openedAt) };
    busy.current = true;
    try {
      const made = await call(createAppKey, { params: { id: app.id }, body, key: keyFor(body) });
      setSecret(made.secret);
      void appsChanged();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const found = fieldErrorsOf(error);
      setErrors(found);
      const first = Object.keys(body).find((field) => found[field]);
      requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus());
      setRefusal(error.problem.errors ? null : error);
    } finally {
      busy.current = false;
    }
  };

  const { name: appName } = app;
  if (secret) return <KeySecret secret={secret} onClose={onClose} />;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`New API key for ${appName}`}
      fact={t`The app uses this key to check what its customers can access.`}
      sign={{ icon: "key", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" form="create-key">
            {t`Create key`}
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <form id="create-key" className="key-form" onSubmit={submit} noValidate>
        <TextInput
          label={t`Name`}
          name="name"
          autoComplete="off"
          description={t`Where the key is used, such as web-server-1.`}
          error={errors["name"]}
          data-autofocus
        />
        <Select
          label={t`Type`}
          data={keyKinds.map((value) => ({ value, label: kindLabels[value].label }))}
          value={kind}
          onChange={(next) => next && setKind(next as Kind)}
          description={kindLabels[kind].help}
        />
        <Scopes key={kind} kind={kind} error={errors["scopes"]} />
        {kind === "publishable" && <OriginsField error={errors["origins"]} />}
        <Select
          label={t`Expiration`}
          data={lifetimes}
          value={lifetime}
          onChange={(next) => next && setLifetime(next)}
          error={errors["expiresAt"]}
        />
      </form>
    </Dialog>
  );
};

type RevokeProps = { app: App; appKey: AppKey; onClose: () => void };

export const RevokeKeyDialog = ({ app, appKey, onClose }: RevokeProps) => {
  const { id: keyId, name, lastUsedAt } = appKey;
  const { name: appName } = app;
  return (
    <Confirm
      onClose={onClose}
      isHard
      title={t`Revoke the API key ${name}?`}
      fact={t`This can't be undone. Requests with this key are rejected immediately.`}
      sign={{ icon: "ban", tone: "bad" }}
      button={t`Revoke key`}
      action={async () => {
        await call(revokeAppKey, {
          params: { id: app.id, keyId },
          body: {},
          action: t`Revoke the API key “${name}”`,
        });
        // The button that opened the dialog is gone by then, so focus can't return to it.
        await appsChanged();
        toast(t`API key ${name} revoked`);
      }}
    >
      <Consequences
        of={[
          { icon: "key", what: t`API keys that stop working`, amount: number(1) },
          {
            icon: "apps",
            what: t`Active API keys left for ${appName}`,
            amount: number(app.keys - 1),
          },
          {
            icon: "clock",
            what: t`Last used`,
            amount: lastUsedAt ? <Moment at={lastUsedAt} /> : t`Never`,
          },
        ]}
      />
    </Confirm>
  );
};
