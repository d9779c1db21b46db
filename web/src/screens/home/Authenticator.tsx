import { confirmTotp, startTotp } from "@purser/contract/session";
import { useState } from "react";
import { call } from "#lib/call.ts";
import { Field } from "#ui/Field.tsx";
import { Form } from "#ui/Form.tsx";
import { focusFirst } from "#ui/focus.ts";
import { PasswordAgain } from "./PasswordAgain.tsx";

type Step =
  | { name: "off" }
  | { name: "secret"; secret: string }
  | { name: "codes"; recoveryCodes: string[] }
  | { name: "on" };

type Props = {
  email: string;
  /** Whether it was on when the page opened. */
  on: boolean;
};

/** Each step has its own key: React would take the paragraph of one for that of the next, without its focus. */
export const Authenticator = ({ email, on }: Props) => {
  const [step, setStep] = useState<Step>(on ? { name: "on" } : { name: "off" });
  switch (step.name) {
    case "off":
      return (
        <Form
          key="off"
          button="Set up an authenticator"
          onSubmit={async (read) => {
            const body = { password: read("password") };
            const { secret } = await call(startTotp, { body });
            setStep({ name: "secret", secret });
          }}
        >
          <PasswordAgain email={email} />
        </Form>
      );
    case "secret":
      return (
        <Form
          key="secret"
          button="Switch on"
          onSubmit={async (read) => {
            const body = { code: read("code").replace(/\s/g, "") };
            const { recoveryCodes } = await call(confirmTotp, { body });
            setStep({ name: "codes", recoveryCodes });
          }}
        >
          <p>
            Add this secret to your authenticator app: <code>{step.secret}</code>
          </p>
          <Field
            label="Code that the app shows"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            ref={focusFirst}
          />
        </Form>
      );
    case "codes":
      return (
        <>
          <p role="status" tabIndex={-1} ref={focusFirst}>
            The authenticator is on. Keep these recovery codes where you find them without your
            phone: each works once, and they are not shown again.
          </p>
          <ul aria-label="Recovery codes">
            {step.recoveryCodes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <p>
            <button type="button" onClick={() => setStep({ name: "on" })}>
              I have kept them
            </button>
          </p>
        </>
      );
    case "on":
      return (
        <p key="on" {...(!on && { tabIndex: -1, ref: focusFirst })}>
          An authenticator is on: signing in asks for its code.
        </p>
      );
  }
};
