import { t } from "@lingui/core/macro";
import { Button, TextInput } from "@mantine/core";
import { confirmTotp, removeTotp, startTotp } from "@purser/contract/auth/twoFactor";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { refreshSession } from "#lib/session/session.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { focusFirst } from "#ui/page/focus.ts";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";
import { toast } from "#ui/popups/toast.ts";
import { Reference } from "#ui/record/Reference.tsx";

type Step =
  | { name: "off"; isNew?: true }
  | { name: "secret"; secret: string }
  | { name: "codes"; recoveryCodes: string[] }
  /** `isNew`: reached from another step, so it takes the focus. */
  | { name: "on"; isNew?: true };

type StepProps = { isNew?: boolean | undefined; setStep: (step: Step) => void };

const Off = ({ isNew, setStep }: StepProps) => (
  <SimpleForm
    button={t`Set up 2FA`}
    look={{ variant: "default" }}
    onSubmit={async () => {
      const { secret } = await call(startTotp);
      setStep({ name: "secret", secret });
    }}
  >
    {isNew && (
      <p tabIndex={-1} ref={focusFirst}>
        {t`Two-factor authentication is off.`}
      </p>
    )}
  </SimpleForm>
);

const Confirm = ({ secret, setStep }: { secret: string } & StepProps) => (
  <SimpleForm
    button={t`Turn on 2FA`}
    refused="code"
    onSubmit={async (read) => {
      const body = { code: read("code").replace(/\s/g, "") };
      const { recoveryCodes } = await call(confirmTotp, { body });
      await refreshSession();
      setStep({ name: "codes", recoveryCodes });
    }}
  >
    <p>
      {t`Add this secret to your authenticator app.`}{" "}
      <Reference value={secret} copyLabel={t`Copy secret`} />
    </p>
    <TextInput
      label={t`Code from the app`}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      withAsterisk={false}
      ref={focusFirst}
    />
  </SimpleForm>
);

const Codes = ({ codes, setStep }: { codes: string[] } & StepProps) => (
  <>
    <div role="status" tabIndex={-1} ref={focusFirst}>
      <Callout tone="warn" icon="alert-triangle">
        {t`Two-factor authentication is on. Save these recovery codes somewhere other than your phone. Each works once. They won't be shown again.`}
      </Callout>
    </div>
    <ul className="recovery-codes mono" aria-label={t`Recovery codes`}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <Button variant="default" onClick={() => setStep({ name: "on", isNew: true })}>
      {t`I've saved them`}
    </Button>
  </>
);

const On = ({ isNew, setStep }: StepProps) => (
  <>
    <p tabIndex={-1} ref={isNew ? focusFirst : null}>
      {t`Two-factor authentication is on. You need a code to sign in.`}
    </p>
    <SimpleForm
      button={t`Turn off 2FA`}
      look={{ variant: "default" }}
      onSubmit={async () => {
        await call(removeTotp);
        await refreshSession();
        toast(t`Two-factor authentication turned off`);
        setStep({ name: "off", isNew: true });
      }}
    />
  </>
);

type Props = {
  /** Whether it was on when the page was loaded. */
  on: boolean;
};

export const Authenticator = ({ on }: Props) => {
  const [step, setStep] = useState<Step>(on ? { name: "on" } : { name: "off" });
  switch (step.name) {
    case "off":
      return <Off isNew={step.isNew} setStep={setStep} />;
    case "secret":
      return <Confirm secret={step.secret} setStep={setStep} />;
    case "codes":
      return <Codes codes={step.recoveryCodes} setStep={setStep} />;
    case "on":
      return <On isNew={step.isNew} setStep={setStep} />;
  }
};
