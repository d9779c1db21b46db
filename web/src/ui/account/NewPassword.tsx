import { t } from "@lingui/core/macro";
import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** For choosing a new password, with the limits of the contract. */
export const NewPassword = (props: PasswordInputProps) => (
  <PasswordInput
    label={t`New password`}
    name="password"
    autoComplete="new-password"
    required
    withAsterisk={false}
    minLength={12}
    maxLength={256}
    description={t`At least 12 characters. A few unrelated words work well.`}
    {...props}
  />
);
