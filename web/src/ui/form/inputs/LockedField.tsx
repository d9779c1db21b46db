import { TextInput } from "@mantine/core";
import { Icon } from "#ui/Icon.tsx";

type Props = { label: string; value: string; why?: string };

/** A field that stays as it is, and why. */
export const Locked = ({ label, value, why }: Props) => (
  <TextInput
    label={label}
    value={value}
    description={why}
    readOnly
    rightSection={<Icon name="lock" />}
  />
);
