import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";

type Props = Omit<TextInputProps, "value" | "onChange"> & {
  /** What is meant, or what was typed while that means nothing yet. */
  value: number | string;
  read: (typed: string) => number | null;
  show: (value: number) => string;
  onChange: (value: number | string) => void;
};

/** A number that people type in their own way. As long as they type, it stays as they type it. */
export const TypedInput = ({ value, read, show, onChange, onBlur, ...rest }: Props) => {
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

/** A whole number, without anything around it. */
export const readWhole = (typed: string) =>
  /^[-−]?\d{1,15}$/.test(typed.trim()) ? Number(typed.trim().replace("−", "-")) : null;
