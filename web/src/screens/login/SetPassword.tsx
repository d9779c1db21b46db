import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { type getLink, setPassword } from "@purser/contract/auth/passwords";
import { signIn } from "@purser/contract/auth/signIn";
import type { Wire } from "@purser/contract/http/endpoint";
import { use } from "react";
import { call } from "#lib/api/call.ts";
import { type Outcome, outcomeOf } from "#lib/api/userFacingError.ts";
import type { Me } from "#lib/session/session.ts";
import { NewPassword } from "#ui/account/NewPassword.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { focusFirst } from "#ui/page/focus.ts";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";

export type Link = Wire<typeof getLink>["reply"];

type Props = {
  token: string;
  link: Promise<Outcome<Link>>;
  onSignedIn: (me: Me) => void;
  onTwoFactor: (challenge: string) => void;
  /** The password is set, but signing in with it failed. */
  onSet: (email: string) => void;
};

/** Sets the password and signs in with it, so that it is entered once. */
export const SetPassword = ({ token, link, onSignedIn, onTwoFactor, onSet }: Props) => {
  const { value: found, refusal } = use(link);
  if (refusal) return <Refused refusal={refusal} />;
  const { purpose, name, email } = found;
  return (
    <SimpleForm
      button={t`Set password`}
      look={{ size: "md", fullWidth: true }}
      refused="password"
      onSubmit={async (read) => {
        const password = read("password");
        await call(setPassword, { body: { token, password }, signedOut: "throw" });
        const { value } = await outcomeOf(
          call(signIn, { body: { email, password }, signedOut: "throw" }),
        );
        if (value?.state === "signed in") onSignedIn(value.me);
        else if (value) onTwoFactor(value.challenge);
        else onSet(email);
      }}
    >
      <p className="soft">
        {purpose === "invitation"
          ? t`Welcome, ${name}. Choose a password to sign in with.`
          : t`Choose a new password, ${name}. You'll be signed out on all devices.`}
      </p>
      <TextInput
        label={t`Email`}
        name="email"
        size="md"
        autoComplete="username"
        readOnly
        value={email}
      />
      <NewPassword ref={focusFirst} />
    </SimpleForm>
  );
};
