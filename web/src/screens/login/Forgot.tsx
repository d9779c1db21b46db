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
        button="Send a link"
        look={{ size: "md", fullWidth: true }}
        onSubmit={async (read) => {
          const email = read("email");
          setAsked("");
          await call(forgotPassword, { body: { email }, signedOut: "throw" });
          setAsked(email);
        }}
      >
        <TextInput
          label="Mail"
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
            If {asked} may sign in, a mail with a link to a new password is on its way.
          </Callout>
        )}
      </div>
    </>
  );
};
