import "#ui/styles/choiceSheets.ts";
import "#ui/styles/switchSheets.ts";
import { t } from "@lingui/core/macro";
import { ActionIcon, Button, Select, Switch } from "@mantine/core";
import { intervals } from "@purser/contract/packages/prices";
import { amount as amountText, nameOf } from "#lib/intl.ts";
import { amountInCurrency } from "#lib/money/amounts.ts";
import { useCompanyCurrencies, useCurrencies } from "#lib/money/useCurrencies.ts";
import { parseAmount, parseWhole } from "#lib/parseNumber.ts";
import { Field } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { intervalLabels } from "../labels.ts";
import { nextPrice, type PriceValue, periodIn } from "./nextPrice.ts";
import { formLabels, isTwice, type PackageValues } from "./values.ts";

const wantedIn = (code: string, typed: string) =>
  `${code} ${nameOf("currency", code)}`.toLowerCase().includes(typed.trim().toLowerCase());

/** Errors are shown below the row; screen readers get them at the field. */
const quiet = { errorProps: { className: "unseen" } } as const;

type RowProps = {
  record: RecordForm<PackageValues>;
  place: number;
  price: PriceValue;
  onRemove: () => void;
};

/** The errors of a row by field. */
const useRowErrors = ({ record: { form }, place }: RowProps) => {
  const at = (part: keyof PriceValue) => {
    const error = form.errors[`prices.${place}.${part}`];
    return typeof error === "string" ? error : null;
  };
  const twice = isTwice(form.values.prices, place)
    ? t`This currency already has a price for this billing period.`
    : null;
  return {
    currency: at("currency") ?? twice,
    amount: at("amount"),
    interval: at("interval"),
    intervalCount: at("intervalCount"),
    perUnit: at("perUnit"),
  };
};

type PerUnitProps = { place: number; checked: boolean; onChange: (perUnit: boolean) => void };

const PerUnit = ({ place, checked, onChange }: PerUnitProps) => {
  const row = place + 1;
  return (
    <Switch
      className="price-unit"
      size="xs"
      label={t`Per unit`}
      aria-label={t`Price ${row}: per unit`}
      data-path={`prices.${place}.perUnit`}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
};

/** Another currency changes the amount, and the interval of a row that has no amount yet. */
const changedTo = (currency: string, price: PriceValue, others: readonly PriceValue[]) => ({
  currency,
  amount: amountInCurrency(currency, price),
  ...(price.amount === "" && periodIn(currency, others)),
});

const PriceRow = (props: RowProps) => {
  const { record, place, price, onRemove } = props;
  const { form } = record;
  const errors = useRowErrors(props);
  const currencies = useCurrencies();
  const ways = (part: keyof PriceValue) => {
    const path = `prices.${place}.${part}`;
    return {
      ...quiet,
      "aria-label": `${formLabels.prices.part?.([String(place), part])}`,
      "data-path": path,
      error: errors[part],
      onBlur: () => void form.validateField(path),
    };
  };
  const set = (changes: Partial<PriceValue>) => {
    form.setFieldValue(
      "prices",
      form.values.prices.map((one, at) => (at === place ? { ...one, ...changes } : one)),
    );
    for (const part of Object.keys(changes)) form.clearFieldError(`prices.${place}.${part}`);
  };
  const told = Object.values(errors).find((message) => message !== null);
  const isOnce = price.interval === "once";
  const row = place + 1;
  return (
    <li className="price-row">
      <Select
        {...ways("currency")}
        data={[...new Set([...currencies, price.currency])]}
        searchable
        selectFirstOptionOnChange
        value={price.currency}
        onChange={(currency) =>
          currency && set(changedTo(currency, price, form.values.prices.toSpliced(place, 1)))
        }
        filter={({ options, search }) =>
          options.filter((one) => "value" in one && wantedIn(one.value, search))
        }
        renderOption={({ option }) => (
          <span className="currency-option">
            <b>{option.value}</b>
            <small>{nameOf("currency", option.value)}</small>
          </span>
        )}
        comboboxProps={{ width: 260, position: "bottom-start" }}
      />
      <ParsedNumberInput
        {...ways("amount")}
        className="number-input"
        inputMode="decimal"
        value={price.amount}
        read={(typed) => parseAmount(typed, price.currency)}
        show={(minor) => amountText(minor, price.currency)}
        onChange={(amount) => set({ amount })}
      />
      <ParsedNumberInput
        {...ways("intervalCount")}
        aria-label={t`Price ${row}: number of intervals`}
        className="number-input"
        inputMode="numeric"
        disabled={isOnce}
        value={price.intervalCount}
        read={parseWhole}
        show={String}
        onChange={(intervalCount) => set({ intervalCount })}
      />
      <Select
        {...ways("interval")}
        data={intervals.map((value) => ({
          value,
          label: intervalLabels[value](Number(price.intervalCount) || 1),
        }))}
        value={price.interval}
        onChange={(interval) =>
          interval &&
          set({
            interval: interval as PriceValue["interval"],
            ...(interval === "once" && { intervalCount: 1 }),
          })
        }
      />
      <ActionIcon
        size={32}
        aria-label={t`Remove price ${row}`}
        data-tip={t`Remove`}
        onClick={onRemove}
      >
        <Icon name="trash" />
      </ActionIcon>
      <PerUnit place={place} checked={price.perUnit} onChange={(perUnit) => set({ perUnit })} />
      {told && (
        <p className="price-error" aria-hidden="true">
          {told}
        </p>
      )}
    </li>
  );
};

/** The prices of a package, one row per currency and interval. */
export const PriceRows = ({ record }: { record: RecordForm<PackageValues> }) => {
  const { form } = record;
  const { prices } = form.values;
  const currencies = useCompanyCurrencies();
  const add = () => {
    const place = prices.length;
    form.setFieldValue("prices", [...prices, nextPrice(prices, currencies)]);
    requestAnimationFrame(() => record.errors.focus(`prices.${place}.amount`));
  };
  const remove = (place: number) => {
    form.removeListItem("prices", place);
    // The pressed button no longer exists, so focus needs another target.
    requestAnimationFrame(() =>
      record.errors.focus(prices.length > 1 ? `prices.${Math.max(0, place - 1)}.amount` : "prices"),
    );
  };
  return (
    <Field record={record} words={formLabels} name="prices">
      <fieldset className="field-group">
        <legend className="field-label">{t`Prices`}</legend>
        {prices.length > 0 && (
          <>
            <div className="price-row price-head" aria-hidden="true">
              <span>{t`Currency`}</span>
              <span>{t`Amount`}</span>
              <span>{t`Every`}</span>
            </div>
            <ol>
              {prices.map((price, place) => (
                <PriceRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified only by its position.
                  key={place}
                  record={record}
                  place={place}
                  price={price}
                  onRemove={() => remove(place)}
                />
              ))}
            </ol>
          </>
        )}
        <Button
          variant="default"
          size="xs"
          data-path="prices"
          leftSection={<Icon name="plus" size={14} />}
          onClick={add}
        >
          {t`Add price`}
        </Button>
      </fieldset>
    </Field>
  );
};
