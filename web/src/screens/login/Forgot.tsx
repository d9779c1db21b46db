import { forgotPassword } from "@purser/contract/session";
import { useState } from "react";
import { call } from "#lib/call.ts";
import { Field } from "#ui/Field.tsx";
import { Form } from "#ui/Form.tsx";
import { focusFirst } from "#ui/focus.ts";

export const Forgot = () => {
  const [asked, setAsked] = useState("");
  return (
    <>
      <Form
        button="Send a link"
        onSubmit={async (read) => {
          const email = read("email");
          setAsked("");
          await call(forgotPassword, { body: { email } });
          setAsked(email);
        }}
      >
        <Field
          label="Mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          ref={focusFirst}
        />
      </Form>
      <p role="status">
        {asked && `If ${asked} may sign in, a mail with a link to a new password is on its way.`}
      </p>
    </>
  );
};
