import { PasswordInput } from "@mantine/core";
import { useMe } from "#lib/session/session.ts";

/** What the person proved themselves with: nothing, where a sign-in of a moment ago is the proof. */
export const proofIn = (read: (name: string) => string) => {
  const password = read("password");
  return password === "" ? {} : { password };
};

/** Asks for the password before something that a stolen session must not do. */
export const PasswordAgain = () => {
  const { email, proof } = useMe();
  if (proof === "recent sign-in")
    return <p className="soft">You must have signed in within the last 10 minutes.</p>;
  return (
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
};
