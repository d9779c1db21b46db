import { TextInput } from "@mantine/core";
import { Icon } from "#ui/Icon.tsx";

type Props = { label: string; value: string; why?: string };

/** A read-only field with the reason. */
export const ReadOnlyField = ({ label, value, why }: Props) => (
  <TextInput
    label={label}
    value={value}
    description={why}
    readOnly
    rightSection={<Icon name="lock" />}
  />
);
