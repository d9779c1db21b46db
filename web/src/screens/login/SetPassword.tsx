import type { Wire } from "@purser/contract/endpoint";
import { type getLink, setPassword } from "@purser/contract/session";
import { use } from "react";
import { call } from "#lib/call.ts";
import type { Outcome } from "#lib/refusal.ts";
import { Field } from "#ui/Field.tsx";
import { Form } from "#ui/Form.tsx";
import { focusFirst } from "#ui/focus.ts";

export type Link = Wire<typeof getLink>["reply"];

type Props = {
  token: string;
  link: Promise<Outcome<Link>>;
  onSet: (email: string) => void;
};

export const SetPassword = ({ token, link, onSet }: Props) => {
  const { value: found, refusal } = use(link);
  if (refusal) return <p role="alert">{refusal.message}</p>;
  const { purpose, name, email } = found;
  return (
    <Form
      button="Set password"
      onSubmit={async (read) => {
        await call(setPassword, { body: { token, password: read("password") } });
        onSet(email);
      }}
    >
      <p>
        {purpose === "invitation"
          ? `Welcome, ${name}. Choose a password to sign in with.`
          : `Choose a new password, ${name}. You will be signed out everywhere.`}
      </p>
      <Field label="Mail" name="email" autoComplete="username" readOnly value={email} />
      <Field
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={256}
        hint="At least 12 characters; a few unrelated words are good."
        ref={focusFirst}
      />
    </Form>
  );
};
