import { t } from "@lingui/core/macro";
import { Button, TextInput } from "@mantine/core";
import { createApp } from "@purser/contract/apps/endpoints";
import { type SubmitEvent, useRef, useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { fieldErrorsOf } from "#lib/api/fieldErrors.ts";
import type { UserFacingError } from "#lib/api/userFacingError.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { codeFor } from "#ui/form/inputs/code.ts";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { Refused } from "#ui/page/Callout.tsx";
import { toast } from "#ui/popups/toast.ts";
import { type App, appSaved } from "./queries.ts";

type Props = { name: string; onClose: () => void; onCreated: (app: App) => void };

/** Sends the app once per idempotency key and shows errors at their fields. */
const useCreation = (onCreated: Props["onCreated"]) => {
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const keyFor = useIdempotencyKey();
  const busy = useRef(false);
  const create = async (form: HTMLFormElement, body: { name: string; code: string }) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const app = await call(createApp, { body, key: keyFor(body) });
      appSaved(app);
      const { name } = app;
      toast(t`${name} created as a draft`);
      onCreated(app);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const found = fieldErrorsOf(error);
      setErrors(found);
      setRefusal(error.problem.errors ? null : error);
      const first = found["name"] ? "name" : "code";
      requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus());
    } finally {
      busy.current = false;
    }
  };
  return { errors, refusal, create };
};

/** Creates an app from its required fields, inside another form. */
export const QuickApp = ({ name: given, onClose, onCreated }: Props) => {
  const [name, setName] = useState(given);
  const [code, setCode] = useState(codeFor(given));
  const { errors, refusal, create } = useCreation(onCreated);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React bubbles the event to the form behind the dialog.
    event.stopPropagation();
    void create(event.currentTarget, { name, code });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`New app`}
      fact={t`Starts as a draft. You can add the icon, platforms and other details later.`}
      sign={{ icon: "apps", tone: "info" }}
      size={460}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" form="quick-app">
            {t`Create app`}
          </Button>
        </>
      }
    >
      <Refused refusal={refusal} />
      <form id="quick-app" className="key-form" onSubmit={submit} noValidate>
        <TextInput
          label={t`Name`}
          name="name"
          value={name}
          error={errors["name"]}
          data-autofocus
          onChange={({ currentTarget: { value } }) => {
            setName(value);
            if (code === codeFor(name)) setCode(codeFor(value));
          }}
        />
        <TextInput
          label={t`Code`}
          name="code"
          className="mono-input"
          description={t`Identifies the app in the API.`}
          value={code}
          error={errors["code"]}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
      </form>
    </Dialog>
  );
};
