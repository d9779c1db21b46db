import "#ui/styles/choiceSheets.ts";
import { ActionIcon, Button, Select } from "@mantine/core";
import { formatAmount, parseAmount } from "@purser/contract/fields/money";
import { intervals } from "@purser/contract/packages/prices";
import { amountInCurrency } from "#lib/money/amounts.ts";
import { useCurrencies } from "#lib/money/useCurrencies.ts";
import { Field } from "#ui/form/Field.tsx";
import { ParsedNumberInput, readWhole } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import { intervalLabels } from "../labels.ts";
import { formLabels, isTwice, nextPrice, type PackageValues, type PriceValue } from "./values.ts";

const names = new Intl.DisplayNames("en", { type: "currency" });

const wantedIn = (code: string, typed: string) =>
  `${code} ${names.of(code) ?? ""}`.toLowerCase().includes(typed.trim().toLowerCase());

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
  const twice = isTwice(form.values.prices, place) ? "has a price for this interval already" : null;
  return {
    currency: at("currency") ?? twice,
    amount: at("amount"),
    interval: at("interval"),
    intervalCount: at("intervalCount"),
  };
};

const fieldLabels = {
  currency: "The currency",
  amount: "The amount",
  interval: "The interval",
  intervalCount: "The interval",
} as const;

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
  const told = Object.entries(errors).find(([, message]) => message !== null);
  const isOnce = price.interval === "once";
  return (
    <li className="price-row">
      <Select
        {...ways("currency")}
        data={[...new Set([...currencies, price.currency])]}
        searchable
        selectFirstOptionOnChange
        value={price.currency}
        onChange={(currency) =>
          currency && set({ currency, amount: amountInCurrency(currency, price) })
        }
        filter={({ options, search }) =>
          options.filter((one) => "value" in one && wantedIn(one.value, search))
        }
        renderOption={({ option }) => (
          <span className="currency-option">
            <b>{option.value}</b>
            <small>{names.of(option.value)}</small>
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
        show={(amount) => formatAmount(amount, price.currency)}
        onChange={(amount) => set({ amount })}
      />
      <ParsedNumberInput
        {...ways("intervalCount")}
        aria-label={`Price ${place + 1}: every so many`}
        className="number-input"
        inputMode="numeric"
        disabled={isOnce}
        value={price.intervalCount}
        read={readWhole}
        show={String}
        onChange={(intervalCount) => set({ intervalCount })}
      />
      <Select
        {...ways("interval")}
        data={intervals.map((value) => ({
          value,
          label: intervalLabels[value][price.intervalCount === 1 ? "one" : "many"],
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
        aria-label={`Remove price ${place + 1}`}
        data-tip="Remove"
        onClick={onRemove}
      >
        <Icon name="trash" />
      </ActionIcon>
      {told && (
        <p className="price-error" aria-hidden="true">
          {fieldLabels[told[0] as keyof typeof fieldLabels]} {told[1]}
        </p>
      )}
    </li>
  );
};

/** The prices of a package, one row per currency and interval. */
export const PriceRows = ({ record }: { record: RecordForm<PackageValues> }) => {
  const { form } = record;
  const { prices } = form.values;
  const add = () => {
    const place = prices.length;
    form.setFieldValue("prices", [...prices, nextPrice(prices)]);
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
        <legend className="field-label">Prices</legend>
        {prices.length > 0 && (
          <>
            <div className="price-row price-head" aria-hidden="true">
              <span>Currency</span>
              <span>Amount</span>
              <span>Every</span>
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
          Add price
        </Button>
      </fieldset>
    </Field>
  );
};
