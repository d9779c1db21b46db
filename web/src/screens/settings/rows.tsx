import { t } from "@lingui/core/macro";
import { ActionIcon, Button, NativeSelect, TextInput } from "@mantine/core";
import { type Role, roles } from "@purser/contract/auth/permissions";
import { currencies } from "@purser/contract/fields/amounts";
import { amount as formatAmount, number } from "#lib/intl.ts";
import { roleNames } from "#lib/labels/roles.ts";
import { parseAmount } from "#lib/parseNumber.ts";
import { Field } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { formLabels } from "./labels.ts";
import type { SettingsValues } from "./values.ts";

const usualFirst = [...new Set(["EUR", "USD", "GBP", ...currencies])];

type Props = { record: RecordForm<SettingsValues> };

const Remove = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon size={32} aria-label={label} data-tip={t`Remove`} onClick={onClick}>
    <Icon name="trash" />
  </ActionIcon>
);

const Add = (props: { path: string; children: string; onClick: () => void }) => (
  <Button
    variant="default"
    size="xs"
    data-path={props.path}
    leftSection={<Icon name="plus" size={14} />}
    onClick={props.onClick}
  >
    {props.children}
  </Button>
);

const currencyLabel = (place: number) => {
  const position = number(place + 1);
  return t`Currency ${position}`;
};

type LimitsProps = Props & {
  name: "refundLimits" | "refundDailyLimits" | "refundCustomerLimits";
  note: string;
};

/** The amounts above which a refund requires approval, one row per currency. */
export const RefundLimits = ({ record, name, note }: LimitsProps) => {
  const { form } = record;
  const { currencies: chosen } = form.values;
  const limits = form.values[name];
  const used = chosen.length > 0 ? chosen : usualFirst;
  const rows = Object.entries(limits);
  const set = (next: [string, number | string][]) => {
    form.setFieldValue(name, Object.fromEntries(next));
    form.clearErrors();
  };
  const free = (own?: string) => used.filter((code) => code === own || !(code in limits));
  const [next] = free();
  const labelOf = (currency: string) => formLabels[name].part?.([currency]) ?? currency;
  return (
    <Field record={record} words={formLabels} name={name}>
      <fieldset className="field-group">
        <legend className="field-label">{formLabels[name].label}</legend>
        <p className="field-note">{note}</p>
        {form.errors[name] && <p className="field-error">{form.errors[name]}</p>}
        {rows.length > 0 && (
          <ol className="setting-rows">
            {rows.map(([currency, amount], place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the currency itself can change.
              <li key={place} className="limit-row">
                <NativeSelect
                  aria-label={currencyLabel(place)}
                  value={currency}
                  data={[...new Set([currency, ...free(currency)])]}
                  onChange={({ currentTarget: { value } }) =>
                    set(rows.map((row, at) => (at === place ? [value, row[1]] : row)))
                  }
                />
                <ParsedNumberInput
                  aria-label={labelOf(currency)}
                  className="number-input"
                  inputMode="decimal"
                  data-path={`${name}.${currency}`}
                  error={form.errors[`${name}.${currency}`]}
                  value={amount}
                  read={(typed) => parseAmount(typed, currency)}
                  show={(minor) => formatAmount(minor, currency)}
                  onChange={(value) =>
                    set(rows.map((row, at) => (at === place ? [currency, value] : row)))
                  }
                />
                <Remove
                  label={t`Remove the limit in ${currency}`}
                  onClick={() => set(rows.filter((_, at) => at !== place))}
                />
              </li>
            ))}
          </ol>
        )}
        {next && (
          <Add path={name} onClick={() => set([...rows, [next, ""]])}>
            {t`Add limit`}
          </Add>
        )}
      </fieldset>
    </Field>
  );
};

const partLabel = (place: number, part: "group" | "role") =>
  formLabels.signInGroups.part?.([String(place), part]);

const removeLabel = (group: string, place: number) => {
  const named = group || number(place + 1);
  return t`Remove group ${named}`;
};

/** The roles for the groups of the identity provider. */
export const SignInGroups = ({ record }: Props) => {
  const { form } = record;
  const groups = form.values.signInGroups;
  const set = (place: number, changes: Partial<(typeof groups)[number]>) => {
    form.setFieldValue(
      "signInGroups",
      groups.map((one, at) => (at === place ? { ...one, ...changes } : one)),
    );
    form.clearFieldError(`signInGroups.${place}.group`);
  };
  return (
    <Field record={record} words={formLabels} name="signInGroups">
      <fieldset className="field-group">
        <legend className="field-label">{formLabels.signInGroups.label}</legend>
        <p className="field-note">
          {t`For single sign-on. The first matching group sets the role.`}
        </p>
        {groups.length > 0 && (
          <ol className="setting-rows">
            {groups.map(({ group, role }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified only by its position.
              <li key={place} className="group-row">
                <TextInput
                  aria-label={partLabel(place, "group")}
                  data-path={`signInGroups.${place}.group`}
                  error={form.errors[`signInGroups.${place}.group`]}
                  value={group}
                  onChange={({ currentTarget: { value } }) => set(place, { group: value })}
                />
                <NativeSelect
                  aria-label={partLabel(place, "role")}
                  value={role}
                  data={roles.map((value) => ({ value, label: roleNames[value] }))}
                  onChange={({ currentTarget: { value } }) => set(place, { role: value as Role })}
                />
                <Remove
                  label={removeLabel(group, place)}
                  onClick={() => form.removeListItem("signInGroups", place)}
                />
              </li>
            ))}
          </ol>
        )}
        <Add
          path="signInGroups"
          onClick={() => form.insertListItem("signInGroups", { group: "", role: "viewer" })}
        >
          {t`Add group`}
        </Add>
      </fieldset>
    </Field>
  );
};
