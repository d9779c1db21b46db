import { PasswordInput } from "@mantine/core";

/** Asks for the password before something that a stolen session must not do. */
export const PasswordAgain = ({ email }: { email: string }) => (
  <>
    {/* A password manager asks whose password this is. */}
    <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
    <PasswordInput
      label="Your password"
      name="password"
      size="sm"
      autoComplete="current-password"
      required
      withAsterisk={false}
    />
  </>
);
