import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  /** The parsed number, or the text while it can't be parsed. */
  value: number | string;
  read: (typed: string) => number | null;
  show: (value: number) => string;
  onChange: (value: number | string) => void;
};

/** A number field that keeps the typed text while editing and formats it on blur. */
export const ParsedNumberInput = ({ value, read, show, onChange, onBlur, ...rest }: Props) => {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={typed ?? (typeof value === "number" ? show(value) : value)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(read(currentTarget.value) ?? currentTarget.value);
      }}
      onBlur={(event) => {
        setTyped(null);
        onBlur?.(event);
      }}
    />
  );
};
