import "./Segments.css";

type Option<Value extends string> = { value: Value; label: string; note?: string | undefined };

type Props<Value extends string> = {
  legend: string;
  name: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
  isAutoFocus?: boolean;
};

/** Radio buttons side by side, for a few short options. */
export const Segments = <Value extends string>(props: Props<Value>) => {
  const { legend, name, value, options, onChange, isAutoFocus = false } = props;
  return (
    <fieldset className="segmented">
      <legend className="field-label">{legend}</legend>
      <div>
        {options.map(({ value: one, label, note }) => (
          <label key={one}>
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === value}
              onChange={() => onChange(one)}
              {...(isAutoFocus && one === value && { "data-autofocus": true })}
            />
            {label} {note && <span className="number">{note}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
