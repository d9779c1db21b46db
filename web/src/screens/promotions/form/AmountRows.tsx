import { t } from "@lingui/core/macro";
import "#ui/styles/choiceSheets.ts";
import { ActionIcon, Button, Select } from "@mantine/core";
import { currencies } from "@purser/contract/fields/amounts";
import { amount as formatAmount, money } from "#lib/intl.ts";
import { amountInCurrency } from "#lib/money/amounts.ts";
import { parseAmount } from "#lib/parseNumber.ts";
import { Field } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { Icon } from "#ui/Icon.tsx";
import { lockedText, type PartProps } from "./fields.tsx";
import { amountInLabels, amountLabels } from "./formLabels.ts";
import type { AmountPart, AmountValue } from "./values.ts";

type Props = PartProps & {
  /** The amounts to show per currency. */
  parts: readonly AmountPart[];
  legend: string;
  help?: string;
};

const empty = { off: null, minimum: null, cap: null, budget: null };

const nextCurrency = (rows: AmountValue[]) =>
  ["EUR", "USD", ...currencies].find((code) => !rows.some((row) => row.currency === code)) ?? "EUR";

type RowProps = Props & { row: AmountValue; place: number; onRemove: () => void };

/** The discount given so far in a currency, if any. */
const discountedSoFar = ({ promotion, row }: RowProps) => {
  const given = promotion?.amounts.find(({ currency }) => currency === row.currency)?.given ?? 0;
  const amount = money(given, row.currency);
  return given > 0 ? t`${amount} given so far` : null;
};

const Row = (props: RowProps) => {
  const { record, promotion, parts, row, place, onRemove } = props;
  const { form } = record;
  const { currency: code } = row;
  const position = place + 1;
  const isLocked = promotion?.isLocked ?? false;
  const set = (changes: Partial<AmountValue>) => {
    form.setFieldValue(
      "amounts",
      form.values.amounts.map((one, at) => (at === place ? { ...one, ...changes } : one)),
    );
    for (const part of Object.keys(changes)) form.clearFieldError(`amounts.${place}.${part}`);
    form.clearFieldError("amounts");
  };
  const errorAt = (part: string) => form.errors[`amounts.${place}.${part}`];
  const given = parts.includes("budget") && discountedSoFar(props);
  const change = (currency: string) => {
    const typed = (part: AmountPart) => {
      const amount = row[part];
      return amount === null
        ? null
        : amountInCurrency(currency, { amount, currency: row.currency });
    };
    set({
      currency,
      off: typed("off"),
      minimum: typed("minimum"),
      cap: typed("cap"),
      budget: typed("budget"),
    });
  };
  return (
    <li className="amount-row" data-parts={parts.length}>
      <Select
        aria-label={t`Currency ${position}`}
        data={[...currencies]}
        searchable
        selectFirstOptionOnChange
        disabled={isLocked}
        error={errorAt("currency") ?? form.errors[`amounts.${place}`]}
        data-path={`amounts.${place}.currency`}
        value={row.currency}
        onChange={(currency) => currency && change(currency)}
      />
      {parts.map((part) => (
        <ParsedNumberInput
          key={part}
          aria-label={amountInLabels[part](code)}
          className="number-input"
          inputMode="decimal"
          data-path={`amounts.${place}.${part}`}
          readOnly={isLocked && part !== "budget"}
          error={errorAt(part)}
          description={part === "budget" ? given : null}
          value={row[part] ?? ""}
          read={(typed) => parseAmount(typed, row.currency)}
          show={(amount) => formatAmount(amount, row.currency)}
          onChange={(amount) => set({ [part]: amount === "" ? null : amount })}
        />
      ))}
      {!isLocked && (
        <ActionIcon
          size={32}
          aria-label={t`Remove ${code}`}
          data-tip={t`Remove`}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </ActionIcon>
      )}
    </li>
  );
};

/** Amounts of a promotion, one row per currency; amounts are never converted. */
export const AmountRows = (props: Props) => {
  const { record, words, promotion, parts, legend, help } = props;
  const { form } = record;
  const { amounts } = form.values;
  const isLocked = promotion?.isLocked ?? false;
  const add = () => {
    form.setFieldValue("amounts", [...amounts, { currency: nextCurrency(amounts), ...empty }]);
    form.clearFieldError("amounts");
    requestAnimationFrame(() => record.errors.focus(`amounts.${amounts.length}.${parts[0]}`));
  };
  const remove = (place: number) => {
    form.removeListItem("amounts", place);
    // The pressed button no longer exists, so focus needs another target.
    requestAnimationFrame(() => record.errors.focus("amounts"));
  };
  const error = form.errors["amounts"];
  return (
    <Field record={record} words={words} name="amounts">
      <fieldset className="field-group">
        <legend className="field-label">{legend}</legend>
        {help && <p className="field-note">{help}</p>}
        {isLocked && (
          <p className="field-note">
            {lockedText} {t`Budgets can be increased.`}
          </p>
        )}
        {amounts.length > 0 && (
          <>
            <div className="amount-row amount-head" data-parts={parts.length} aria-hidden="true">
              <span>{t`Currency`}</span>
              {parts.map((part) => (
                <span key={part}>{amountLabels[part]}</span>
              ))}
            </div>
            <ol>
              {amounts.map((row, place) => (
                <Row
                  // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified only by its position.
                  key={place}
                  {...props}
                  row={row}
                  place={place}
                  onRemove={() => remove(place)}
                />
              ))}
            </ol>
          </>
        )}
        {!isLocked && (
          <Button
            variant="default"
            size="xs"
            data-path="amounts"
            leftSection={<Icon name="plus" size={14} />}
            onClick={add}
          >
            {t`Add currency`}
          </Button>
        )}
        {error && <p className="mantine-InputWrapper-error">{error}</p>}
      </fieldset>
    </Field>
  );
};
