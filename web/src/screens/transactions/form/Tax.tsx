import { t } from "@lingui/core/macro";
import "#ui/styles/switchSheets.ts";
import { Switch, TextInput } from "@mantine/core";
import { amount as formatAmount, money } from "#lib/intl.ts";
import { commonTaxLabel } from "#lib/money/taxes.ts";
import { parseAmount } from "#lib/parseNumber.ts";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import type { SaleQuote } from "../queries.ts";
import type { SaleValues } from "./values.ts";

type Props = { record: RecordForm<SaleValues>; quote: SaleQuote | null };

/** The calculated tax: "20.83 EUR, VAT 21%, Netherlands". */
const calculatedText = ({ quote: { tax, currency }, lines }: SaleQuote) => {
  const amount = money(tax, currency);
  const label = commonTaxLabel(lines);
  return label ? t`Calculated tax is ${amount} (${label}).` : t`Calculated tax is ${amount}.`;
};

const ManualTax = ({ record: { form } }: Pick<Props, "record">) => {
  const { manualTax, currency } = form.values;
  const { error, onBlur } = form.getInputProps("manualTax");
  return (
    <div className="form-pair">
      <ParsedNumberInput
        label={t`Tax`}
        className="number-input"
        inputMode="decimal"
        data-path="manualTax"
        disabled={currency === ""}
        rightSection={<span className="unit">{currency}</span>}
        rightSectionWidth={48}
        error={error}
        onBlur={onBlur}
        value={manualTax}
        read={(typed) => (currency ? parseAmount(typed, currency) : null)}
        show={(amount) => (currency ? formatAmount(amount, currency) : String(amount))}
        onChange={(amount) => form.setFieldValue("manualTax", amount)}
      />
      <TextInput
        label={t`Reason for the tax`}
        maxLength={500}
        {...form.getInputProps("taxReason")}
      />
    </div>
  );
};

/** Tax is calculated from the customer's country, or entered with a reason. */
export const Tax = ({ record, quote }: Props) => {
  const { form } = record;
  const { isTaxManual } = form.values;
  const enter = (checked: boolean) => {
    // Starts from the calculated tax.
    const manualTax = checked && quote ? quote.quote.tax : form.values.manualTax;
    form.setValues({ isTaxManual: checked, manualTax });
    for (const field of ["manualTax", "taxReason"] as const) form.clearFieldError(field);
  };
  return (
    <>
      <Switch
        label={t`Enter tax manually`}
        description={!isTaxManual && quote ? calculatedText(quote) : undefined}
        data-path="isTaxManual"
        checked={isTaxManual}
        onChange={({ currentTarget: { checked } }) => enter(checked)}
      />
      {isTaxManual && <ManualTax record={record} />}
    </>
  );
};

const balanceText = ({ quote: { currency }, payment: { fromBalance } }: SaleQuote) => {
  const amount = money(fromBalance, currency);
  return t`${amount} is paid from the balance.`;
};

/** Shown if the customer has a balance. */
export const UseBalance = ({ record: { form }, quote }: Props) => {
  const { useBalance } = form.values;
  if (useBalance && (quote?.payment.fromBalance ?? 0) === 0) return null;
  return (
    <Switch
      label={t`Pay from the balance first`}
      description={useBalance && quote ? balanceText(quote) : undefined}
      data-path="useBalance"
      checked={useBalance}
      onChange={({ currentTarget: { checked } }) => form.setFieldValue("useBalance", checked)}
    />
  );
};
