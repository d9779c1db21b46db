import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** For choosing a new password, with the limits of the contract. */
export const NewPassword = (props: PasswordInputProps) => (
  <PasswordInput
    label="New password"
    name="password"
    autoComplete="new-password"
    required
    withAsterisk={false}
    minLength={12}
    maxLength={256}
    description="At least 12 characters; a few unrelated words are good."
    {...props}
  />
);
