import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { tag as tagField } from "@purser/contract/http/tagGiven";
import { useState } from "react";

/** Each change counts the rows again. */
const typingMs = 300;

/** The tag that all rows get. */
export const TagInput = ({ onChange }: { onChange: (given: { tag: string } | null) => void }) => {
  const [typed, setTyped] = useState("");
  const change = useDebouncedCallback((value: string) => {
    const { data: tag } = tagField.safeParse(value);
    onChange(tag === undefined ? null : { tag });
  }, typingMs);
  return (
    <TextInput
      data-autofocus
      label={t`Tag`}
      description={t`For example, a campaign.`}
      maxLength={40}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        onChange(null);
        change(value);
      }}
    />
  );
};
