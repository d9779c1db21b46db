import "./CheckboxGroup.css";
import type { ReactNode } from "react";

type Props<Value extends string> = {
  legend: ReactNode;
  /** The field's name in the form. */
  path: string;
  options: Record<Value, ReactNode>;
  value: readonly Value[];
  onChange: (value: Value[]) => void;
  /** One per line, for long labels. */
  stacked?: boolean;
};

export const CheckboxGroup = <Value extends string>(props: Props<Value>) => {
  const { legend, path, options, value, onChange, stacked } = props;
  const all = Object.keys(options) as Value[];
  // Keeps the order, so that toggling twice is no change.
  const toggle = (option: Value) =>
    onChange(all.filter((one) => (one === option) !== value.includes(one)));
  return (
    <fieldset className="field-group">
      <legend className="field-label">{legend}</legend>
      <div className="ticks" {...(stacked && { "data-stacked": true })}>
        {all.map((option, place) => (
          <label key={option}>
            <input
              type="checkbox"
              className="box"
              {...(place === 0 && { "data-path": path })}
              checked={value.includes(option)}
              onChange={() => toggle(option)}
            />
            {options[option]}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
