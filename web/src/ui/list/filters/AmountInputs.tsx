import { t } from "@lingui/core/macro";
import { NativeSelect, TextInput } from "@mantine/core";
import { amount } from "#lib/intl.ts";
import type { AmountLabels } from "./filterLabels.ts";

type Props = {
  amounts: AmountLabels;
  currency: string | null;
  /** In minor units, as in the filter. */
  value: string;
  isRange: boolean;
  wrong: (string | null)[];
};

/** An amount input with a currency choice. */
export const AmountInputs = ({ amounts, currency, value, isRange, wrong }: Props) => {
  const typed = value.split(",").map((one) => {
    const isKnown = one !== "" && currency !== null;
    return isKnown ? amount(Number(one), currency) : "";
  });
  const input = (label: string, place: number) => (
    <TextInput
      aria-label={label}
      name="value"
      inputMode="decimal"
      autoComplete="off"
      required
      defaultValue={typed[place] ?? ""}
      error={wrong[place]}
    />
  );
  return (
    <>
      <NativeSelect
        aria-label={t`Currency`}
        name="currency"
        required
        defaultValue={currency ?? ""}
        data={[{ value: "", label: t`Choose a currency`, disabled: true }, ...amounts.currencies]}
      />
      {input(isRange ? t`From` : t`Value`, 0)}
      {isRange && input(t`To`, 1)}
    </>
  );
};

/** The filters for the typed amounts, or the error. */
export const readAmounts = (amounts: AmountLabels, data: FormData) => {
  const currency = String(data.get("currency"));
  const typed = data.getAll("value").map(String);
  const wrong = typed.map((one) => amounts.refusalOf(one, currency));
  return {
    wrong,
    value: typed.map((one) => amounts.read(one, currency)).join(","),
    beside: `${amounts.currencyField}:is:${currency}`,
  };
};
