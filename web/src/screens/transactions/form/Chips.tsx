import { t } from "@lingui/core/macro";
import { Button, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Icon } from "#ui/Icon.tsx";

type Props = {
  label: ReactNode;
  /** "Add code". */
  addLabel: string;
  /** The accessible name of the added texts: "Added codes". */
  listLabel: string;
  help: string;
  /** The field's name in the form. */
  path: string;
  value: string[];
  onChange: (value: string[]) => void;
  max: number;
  isMono?: boolean;
  error?: ReactNode;
};

/** Short texts, added one by one. */
export const Chips = (props: Props) => {
  const {
    label,
    addLabel,
    listLabel,
    help,
    path,
    value,
    onChange,
    max,
    isMono = false,
    error,
  } = props;
  const [typed, setTyped] = useState("");
  const add = () => {
    const word = typed.trim();
    setTyped("");
    if (word && !value.includes(word) && value.length < max) onChange([...value, word]);
  };
  return (
    <div>
      <div className="entry">
        <TextInput
          label={label}
          description={help}
          error={error}
          data-path={path}
          autoComplete="off"
          spellCheck={false}
          {...(isMono && { className: "mono-input" })}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            add();
          }}
        />
        <Button variant="default" onClick={add}>
          {addLabel}
        </Button>
      </div>
      {value.length > 0 && (
        <ul className="chip-list" aria-label={listLabel}>
          {value.map((word) => (
            <li key={word} className={isMono ? "mono" : undefined}>
              {word}
              <button
                type="button"
                aria-label={t`Remove ${word}`}
                onClick={() => onChange(value.filter((other) => other !== word))}
              >
                <Icon name="x" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
