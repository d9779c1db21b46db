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
import { PasswordAgain, proofIn } from "./PasswordAgain.tsx";

type Step =
  | { name: "off"; isNew?: true }
  | { name: "secret"; secret: string }
  | { name: "codes"; recoveryCodes: string[] }
  /** `isNew`: reached from another step, so it takes the focus. */
  | { name: "on"; isNew?: true };

type StepProps = { isNew?: boolean | undefined; setStep: (step: Step) => void };

const Off = ({ isNew, setStep }: StepProps) => (
  <SimpleForm
    button="Set up an authenticator"
    look={{ variant: "default" }}
    refused="password"
    onSubmit={async (read) => {
      const { secret } = await call(startTotp, { body: proofIn(read) });
      setStep({ name: "secret", secret });
    }}
  >
    {isNew && (
      <p tabIndex={-1} ref={focusFirst}>
        No authenticator is on.
      </p>
    )}
    <PasswordAgain />
  </SimpleForm>
);

const Confirm = ({ secret, setStep }: { secret: string } & StepProps) => (
  <SimpleForm
    button="Switch on"
    refused="code"
    onSubmit={async (read) => {
      const body = { code: read("code").replace(/\s/g, "") };
      const { recoveryCodes } = await call(confirmTotp, { body });
      await refreshSession();
      setStep({ name: "codes", recoveryCodes });
    }}
  >
    <p>
      Add this secret to your authenticator app: <Reference value={secret} what="the secret" />
    </p>
    <TextInput
      label="Code that the app shows"
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
        The authenticator is on. Keep these recovery codes where you find them without your phone:
        each works once, and they are not shown again.
      </Callout>
    </div>
    <ul className="recovery-codes mono" aria-label="Recovery codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <Button variant="default" onClick={() => setStep({ name: "on", isNew: true })}>
      I have kept them
    </Button>
  </>
);

const On = ({ isNew, setStep }: StepProps) => (
  <>
    <p tabIndex={-1} ref={isNew ? focusFirst : null}>
      An authenticator is on: signing in asks for its code.
    </p>
    <SimpleForm
      button="Switch it off"
      look={{ variant: "default" }}
      refused="password"
      onSubmit={async (read) => {
        await call(removeTotp, { body: proofIn(read) });
        await refreshSession();
        toast("The authenticator is off. Your password alone signs you in.");
        setStep({ name: "off", isNew: true });
      }}
    >
      <PasswordAgain />
    </SimpleForm>
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
