import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { forgotPassword } from "@purser/contract/auth/passwords";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { focusFirst } from "#ui/page/focus.ts";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";

export const Forgot = () => {
  const [asked, setAsked] = useState("");
  return (
    <>
      <SimpleForm
        button={t`Send link`}
        look={{ size: "md", fullWidth: true }}
        onSubmit={async (read) => {
          const email = read("email");
          setAsked("");
          await call(forgotPassword, { body: { email }, signedOut: "throw" });
          setAsked(email);
        }}
      >
        <TextInput
          label={t`Email`}
          name="email"
          type="email"
          size="md"
          autoComplete="username"
          required
          withAsterisk={false}
          ref={focusFirst}
        />
      </SimpleForm>
      <div role="status">
        {asked && (
          <Callout tone="ok" icon="circle-check">
            <Trans>If {asked} has an account, we sent a link to set a new password.</Trans>
          </Callout>
        )}
      </div>
    </>
  );
};
