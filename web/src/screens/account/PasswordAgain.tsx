import { t } from "@lingui/core/macro";
import { PasswordInput } from "@mantine/core";
import { useMe } from "#lib/session/session.ts";

/** The proof to send; empty if a recent sign-in is enough. */
export const proofIn = (read: (name: string) => string) => {
  const password = read("password");
  return password === "" ? {} : { password };
};

/** Asks for the password before actions that a stolen session must not allow. */
export const PasswordAgain = () => {
  const { email, proof } = useMe();
  if (proof === "recent sign-in")
    return <p className="soft">{t`Sign in again if your last sign-in was over 10 minutes ago.`}</p>;
  return (
    <>
      {/* Password managers need the username. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label={t`Your password`}
        name="password"
        size="sm"
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
    </>
  );
};
