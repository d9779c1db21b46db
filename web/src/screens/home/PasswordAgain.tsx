import { Field } from "#ui/Field.tsx";

/** Asks for the password before something that a stolen session must not do. */
export const PasswordAgain = ({ email }: { email: string }) => (
  <>
    {/* A password manager asks whose password this is. */}
    <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
    <Field
      label="Your password"
      name="password"
      type="password"
      autoComplete="current-password"
      required
    />
  </>
);
