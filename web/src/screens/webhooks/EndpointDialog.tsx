import { t } from "@lingui/core/macro";
import { Button, TextInput } from "@mantine/core";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  webhookTypes,
} from "@purser/contract/workspace/webhooks";
import { type SubmitEvent, useRef, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { fieldErrorsOf } from "#lib/api/fieldErrors.ts";
import type { UserFacingError } from "#lib/api/userFacingError.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { SecretDialog } from "#ui/dialogs/SecretDialog.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { Refused } from "#ui/page/Callout.tsx";
import { toast } from "#ui/popups/toast.ts";
import { nameOf, secretFact, typeLabels } from "./labels.ts";
import { type Endpoint, webhooksChanged } from "./queries.ts";

type Errors = Record<string, string | undefined>;

const Types = ({ chosen, error }: { chosen: readonly string[]; error: string | undefined }) => (
  <fieldset className="webhooks-types" {...(error && { "aria-describedby": "types-error" })}>
    <legend className="field-label">{t`Events`}</legend>
    {webhookTypes.map((type) => (
      <label key={type}>
        <input
          type="checkbox"
          className="box"
          name="types"
          value={type}
          defaultChecked={chosen.includes(type)}
        />
        <span>
          {typeLabels[type].label}
          <small>{typeLabels[type].help}</small>
        </span>
      </label>
    ))}
    {error && (
      <p id="types-error" className="mantine-InputWrapper-error">
        {error}
      </p>
    )}
  </fieldset>
);

const valuesOf = (form: HTMLFormElement) => {
  const fields = new FormData(form);
  return {
    url: String(fields.get("url")),
    description: String(fields.get("description")),
    types: webhookTypes.filter((type) => fields.getAll("types").includes(type)),
  };
};
type Values = ReturnType<typeof valuesOf>;

/** Sends the form, one request at a time, and shows errors at their fields. */
const useSubmit = (save: (values: Values) => Promise<void>) => {
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const busy = useRef(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy.current) return;
    const form = event.currentTarget;
    const values = valuesOf(form);
    busy.current = true;
    try {
      await save(values);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const found = fieldErrorsOf(error);
      setErrors(found);
      const first = Object.keys(values).find((field) => found[field]);
      requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus());
      setRefusal(error.problem.errors ? null : error);
    } finally {
      busy.current = false;
    }
  };
  return { errors, refusal, submit };
};

type Props = { endpoint?: Endpoint; onClose: () => void };

/** Creates or edits an endpoint. */
export const EndpointDialog = ({ endpoint, onClose }: Props) => {
  const [secret, setSecret] = useState<string | null>(null);
  // A second click or a retry after a lost reply must not create a second endpoint.
  const keyFor = useIdempotencyKey();
  const { errors, refusal, submit } = useSubmit(async (body) => {
    if (endpoint) {
      const { id, version } = endpoint;
      const saved = await call(changeWebhookEndpoint, { params: { id }, version, body });
      await webhooksChanged();
      const name = nameOf(saved);
      toast(t`${name} saved`);
      onClose();
    } else {
      const made = await call(createWebhookEndpoint, { body, key: keyFor(body) });
      setSecret(made.secret);
      void webhooksChanged();
    }
  });
  if (secret)
    return (
      <SecretDialog
        title={t`Save your secret`}
        copyLabel={t`Copy secret`}
        fact={secretFact}
        secret={secret}
        onClose={onClose}
      />
    );
  const name = endpoint && nameOf(endpoint);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={name ? t`Edit ${name}` : t`New endpoint`}
      fact={t`Each event is sent as a signed POST request, in order for each customer.`}
      sign={{ icon: "bolt", tone: "info" }}
      size={520}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" form="webhook-endpoint">
            {endpoint ? t`Save endpoint` : t`Create endpoint`}
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <form id="webhook-endpoint" className="webhooks-form" onSubmit={submit} noValidate>
        <TextInput
          className="mono-input"
          label={t`Endpoint URL`}
          name="url"
          type="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/webhooks"
          defaultValue={endpoint?.url ?? ""}
          error={errors["url"]}
          data-autofocus
        />
        <TextInput
          label={t`Description`}
          name="description"
          autoComplete="off"
          description={t`For example, your email system.`}
          defaultValue={endpoint?.description ?? ""}
          error={errors["description"]}
        />
        <Types chosen={endpoint?.types ?? webhookTypes} error={errors["types"]} />
      </form>
    </Dialog>
  );
};
