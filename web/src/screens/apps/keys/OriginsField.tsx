import { t } from "@lingui/core/macro";
import { Textarea } from "@mantine/core";
import { keyOrigin } from "@purser/contract/apps/keys";
import { useState } from "react";

/** One origin per line. */
export const originsIn = (typed: string) =>
  typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The first invalid line with the reason. */
const errorIn = (typed: string) => {
  for (const origin of originsIn(typed)) {
    const message = keyOrigin.safeParse(origin).error?.issues[0]?.message;
    if (message) return t`${origin} isn't valid. ${message}`;
  }
  return null;
};

type Props = { value?: readonly string[]; error: string | undefined; isAutoFocus?: boolean };

/** The origins of a publishable key. Lines are checked when the field loses focus. */
export const OriginsField = ({ value = [], error, isAutoFocus = false }: Props) => {
  const [typed, setTyped] = useState(value.join("\n"));
  const [left, setLeft] = useState(false);
  return (
    <Textarea
      className="mono-input"
      label={t`Origins`}
      name="origins"
      description={t`One per line. Only web pages of these origins can use the key.`}
      placeholder="https://app.example.com"
      autosize
      minRows={2}
      spellCheck={false}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => setLeft(true)}
      error={(left || error ? errorIn(typed) : null) ?? error}
      {...(isAutoFocus && { "data-autofocus": true })}
    />
  );
};
