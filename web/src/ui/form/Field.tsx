import { t } from "@lingui/core/macro";
import type { FieldDeclarations } from "@purser/contract/fields/declarations";
import type { ReactNode } from "react";
import { emptyValue } from "#lib/labels/emptyValue.ts";
import type { RecordForm } from "./useRecordForm.ts";

type Values = Record<string, unknown>;

/** Labels of a form's fields and formatters for their values. */
export type FormLabels<V extends Values> = {
  [Name in keyof V]: {
    label: string;
    /** `values` is given because a value may depend on other fields. */
    show?: (value: V[Name], values: V) => string;
    /** Labels for parts of a field that have their own input, by path. */
    part?: (path: string[]) => string;
  };
};

type OwnLabels<V extends Values, F> = {
  [Name in Exclude<keyof V, keyof F>]: FormLabels<V>[Name];
} & { [Name in keyof V]?: Partial<FormLabels<V>[Name]> };

/** Labels from the field declarations, completed by `own`. */
export const toFormLabels = <V extends Values, F extends FieldDeclarations>(
  fields: F,
  own: OwnLabels<V, F>,
) =>
  Object.fromEntries(
    Object.keys({ ...fields, ...own }).map((name) => {
      const { label = "", form } = fields[name] ?? {};
      return [name, { label: form?.label ?? label, ...own[name] }];
    }),
  ) as unknown as FormLabels<V>;

export const shownValue = <V extends Values>(words: FormLabels<V>, field: keyof V, values: V) => {
  const shown = words[field].show?.(values[field], values) ?? String(values[field] ?? "");
  return shown === "" ? emptyValue : shown;
};

type Props<V extends Values> = {
  record: RecordForm<V>;
  words: FormLabels<V>;
  name: keyof V & string;
  /** Fields to reset together with this one, because they depend on it. */
  along?: readonly (keyof V & string)[];
  children: ReactNode;
};

/** Wraps a field and shows its stored value with an undo button once it changed. */
export const Field = <V extends Values>(props: Props<V>) => {
  const { record, words, name, along = [], children } = props;
  const isChanged = record.stored.version > 0 && record.changed.includes(name);
  const { label } = words[name];
  const before = shownValue(words, name, record.stored.values);
  return (
    <div className="field" {...(isChanged && { "data-changed": true })}>
      {children}
      {isChanged && (
        <span className="field-was">
          <span>{t`Previously ${before}`}</span>
          <button
            type="button"
            aria-label={t`Reset ${label}`}
            onClick={() => {
              for (const one of [name, ...along]) record.reset(one);
            }}
          >
            {t`Reset`}
          </button>
        </span>
      )}
    </div>
  );
};

type SectionProps = {
  title: string;
  help?: string;
  /** The target of links to this section. */
  id?: string;
  children: ReactNode;
};

export const FormSection = ({ title, help, id, children }: SectionProps) => (
  <fieldset className="form-section" {...(id && { id, tabIndex: -1, "aria-label": title })}>
    <div className="form-section-head">
      <legend>{title}</legend>
      {help && <p>{help}</p>}
    </div>
    <div className="form-section-fields">{children}</div>
  </fieldset>
);

export const Optional = ({ children }: { children: string }) => (
  <>
    {children} <span className="optional">{t`optional`}</span>
  </>
);
