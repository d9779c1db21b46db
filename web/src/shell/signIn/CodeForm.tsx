import { t } from "@lingui/core/macro";
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

const digitLabel = (digit: number) => t`Digit ${digit} of 6`;

export const CodeForm = ({ challenge, onSignedIn, children }: Props) => {
  const [recovering, setRecovering] = useState(false);
  return (
    <div className="sign-in">
      <SimpleForm
        key={String(recovering)}
        button={t`Continue`}
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
            label={t`Recovery code`}
            name="code"
            size="md"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            withAsterisk={false}
            description={t`You got these codes when you set up 2FA. Each works once.`}
            ref={focusFirst}
          />
        ) : (
          <>
            <p className="soft">{t`Enter the code from your authenticator app.`}</p>
            <PinInput
              length={6}
              type="number"
              name="code"
              oneTimeCode
              placeholder=""
              aria-label={t`Code`}
              getInputProps={(place) => ({ "aria-label": digitLabel(place + 1) })}
              autoFocus
            />
          </>
        )}
      </SimpleForm>
      <p className="sign-in-links">
        <button type="button" onClick={() => setRecovering(!recovering)}>
          {recovering ? t`Use authenticator app` : t`Use a recovery code`}
        </button>
        {children}
      </p>
    </div>
  );
};
