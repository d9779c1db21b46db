import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { type getLink, setPassword } from "@purser/contract/auth/passwords";
import type { Wire } from "@purser/contract/http/endpoint";
import { use } from "react";
import { call } from "#lib/api/call.ts";
import type { Outcome } from "#lib/api/userFacingError.ts";
import { NewPassword } from "#ui/account/NewPassword.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { focusFirst } from "#ui/page/focus.ts";
import { SimpleForm } from "#ui/page/SimpleForm.tsx";

export type Link = Wire<typeof getLink>["reply"];

type Props = {
  token: string;
  link: Promise<Outcome<Link>>;
  onSet: (email: string) => void;
};

export const SetPassword = ({ token, link, onSet }: Props) => {
  const { value: found, refusal } = use(link);
  if (refusal) return <Refused refusal={refusal} />;
  const { purpose, name, email } = found;
  return (
    <SimpleForm
      button={t`Set password`}
      look={{ size: "md", fullWidth: true }}
      refused="password"
      onSubmit={async (read) => {
        const body = { token, password: read("password") };
        await call(setPassword, { body, signedOut: "throw" });
        onSet(email);
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
