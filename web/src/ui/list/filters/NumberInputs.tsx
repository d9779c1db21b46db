import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { number } from "#lib/intl.ts";
import { parseWhole } from "#lib/parseNumber.ts";

type Props = { operator: string; value: string; wrong: (string | null)[] };

/** A whole number, the ends of a range, or a number of days. */
export const NumberInputs = ({ operator, value, wrong }: Props) => {
  const isRange = operator === "between";
  const shown = value.split(",").map((one) => (one === "" ? "" : number(Number(one))));
  const input = (label: string, place: number) => (
    <TextInput
      aria-label={label}
      name="value"
      inputMode="numeric"
      autoComplete="off"
      required
      defaultValue={shown[place] ?? ""}
      error={wrong[place]}
      {...(operator === "last" && { rightSection: <span>{t`days`}</span> })}
    />
  );
  return (
    <>
      {input(isRange ? t`From` : t`Value`, 0)}
      {isRange && input(t`To`, 1)}
    </>
  );
};

const daysMax = 9999;

const errorOf = (value: number | null, operator: string) => {
  if (value === null) return t`Enter a whole number.`;
  const isDays = operator !== "last" || (value >= 1 && value <= daysMax);
  const most = number(daysMax);
  return isDays ? null : t`Enter a number from 1 to ${most}.`;
};

/** The filter's value for the typed numbers, or the errors. */
export const readNumbers = (operator: string, data: FormData) => {
  const values = data.getAll("value").map((typed) => parseWhole(String(typed)));
  return { wrong: values.map((value) => errorOf(value, operator)), value: values.join(",") };
};
