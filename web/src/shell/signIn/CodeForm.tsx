import "@mantine/core/styles/Group.layer.css";
import "@mantine/core/styles/PinInput.layer.css";
import { PinInput, TextInput } from "@mantine/core";
import { signInWithCode } from "@purser/contract/auth/signIn";
import { type ReactNode, useState } from "react";
import { call } from "#lib/api/call.ts";
import type { Me } from "#lib/session/session.ts";
import { focusFirst } from "#ui/page/focus.ts";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";

type Props = {
  challenge: string;
  onSignedIn: (me: Me) => void;
  /** Another option next to the recovery code. */
  children?: ReactNode;
};

/** Codes may be copied with spaces and capitals. */
const tidied = (code: string) => code.replace(/\s/g, "").toLowerCase();

export const CodeForm = ({ challenge, onSignedIn, children }: Props) => {
  const [recovering, setRecovering] = useState(false);
  return (
    <div className="sign-in">
      <SimpleForm
        key={String(recovering)}
        button="Continue"
        look={{ size: "md", fullWidth: true }}
        {...(recovering && { refused: "code" })}
        onSubmit={async (read) => {
          const body = { challenge, code: tidied(read("code")) };
          const { me } = await call(signInWithCode, { body, signedOut: "throw" });
          onSignedIn(me);
        }}
      >
        {recovering ? (
          <TextInput
            label="Recovery code"
            name="code"
            size="md"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            description="One of those you kept when you set the authenticator up. Each works once."
            ref={focusFirst}
          />
        ) : (
          <>
            <p className="soft">The 6 digits that your authenticator app shows now.</p>
            <PinInput
              length={6}
              type="number"
              name="code"
              oneTimeCode
              placeholder=""
              aria-label="Code"
              getInputProps={(place) => ({ "aria-label": `Digit ${place + 1} of 6` })}
              autoFocus
            />
          </>
        )}
      </SimpleForm>
      <p className="sign-in-links">
        <button type="button" onClick={() => setRecovering(!recovering)}>
          {recovering ? "Use the authenticator" : "Use a recovery code"}
        </button>
        {children}
      </p>
    </div>
  );
};
