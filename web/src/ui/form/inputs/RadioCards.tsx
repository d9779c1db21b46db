import { type ReactNode, useId } from "react";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";

type Card = { label: string; help?: string; icon?: IconName };

type Props<Value extends string> = {
  legend: ReactNode;
  /** The field's name in the form. */
  path: string;
  cards: Record<Value, Card>;
  value: Value;
  onChange: (value: Value) => void;
  columns?: 1 | 2;
  error?: ReactNode;
};

/** Radio buttons as cards with a description. */
export const RadioCards = <Value extends string>(props: Props<Value>) => {
  const { legend, path, cards, value, onChange, columns = 2, error } = props;
  const id = useId();
  const entries = Object.entries(cards) as [Value, Card][];
  return (
    <fieldset
      className="field-group"
      {...(error ? { "aria-describedby": id, "aria-invalid": true } : {})}
    >
      <legend className="field-label">{legend}</legend>
      <div className="cards" data-columns={columns}>
        {entries.map(([one, { label, help, icon }]) => (
          <label key={one} className="card">
            <input
              type="radio"
              name={id}
              value={one}
              {...(one === value && { "data-path": path })}
              checked={one === value}
              onChange={() => onChange(one)}
            />
            <span>
              <b>
                {icon && <Icon name={icon} />}
                {label}
              </b>
              {help && <small>{help}</small>}
            </span>
          </label>
        ))}
      </div>
      {error && (
        <p id={id} className="mantine-InputWrapper-error">
          {error}
        </p>
      )}
    </fieldset>
  );
};
