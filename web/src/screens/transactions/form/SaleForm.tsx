import { t } from "@lingui/core/macro";
import { NativeSelect, TextInput } from "@mantine/core";
import type { VersionPrice } from "@purser/contract/packages/prices";
import { transactionFields } from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queryClient } from "#lib/api/queryClient.ts";
import { number } from "#lib/intl.ts";
import { isPerUnit } from "#lib/money/prices.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatExact } from "#lib/time/dates.ts";
import { utcOffset } from "#lib/time/localTime.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { soldPackage, versionsQuery } from "#screens/packages/queries.ts";
import { DateTimeField } from "#ui/dates/DateInput.tsx";
import { FormSection, Optional } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { priceOption } from "../labels.ts";
import { linkOf, type SaleQuote } from "../queries.ts";
import { AddOns } from "./AddOns.tsx";
import { Chips } from "./Chips.tsx";
import { plainCode, RejectedCodes } from "./RejectedCodes.tsx";
import { Tax, UseBalance } from "./Tax.tsx";
import { companyZone, type SaleValues } from "./values.ts";

type Props = { record: RecordForm<SaleValues>; quote: SaleQuote | null };
type Fields = Pick<Props, "record">;

const { TextField } = inputsOf<SaleValues>();

const pricesOf = async (packageId: string): Promise<readonly VersionPrice[]> => {
  const versions = await queryClient.fetchQuery(versionsQuery(packageId));
  return versions.find(({ state }) => state === "on sale")?.prices ?? [];
};

const none = { currency: "", interval: "" as const, intervalCount: 1, quantity: 1 };

/** The values of a price. One that isn't per unit is bought once. */
const offerOf = (price: VersionPrice | undefined, quantity: SaleValues["quantity"] = 1) =>
  price
    ? {
        currency: price.currency,
        interval: price.interval,
        intervalCount: price.intervalCount,
        quantity: isPerUnit(price) ? quantity : 1,
      }
    : none;

const keyOf = ({ interval, intervalCount }: Pick<SaleValues, "interval" | "intervalCount">) =>
  `${interval} ${intervalCount}`;

/** How many units are bought. */
const Quantity = ({ form }: Pick<RecordForm<SaleValues>, "form">) => {
  const { error, onBlur } = form.getInputProps("quantity");
  return (
    <ParsedNumberInput
      label={t`Quantity`}
      className="number-input"
      inputMode="numeric"
      data-path="quantity"
      error={error}
      onBlur={onBlur}
      value={form.values.quantity}
      read={parseWhole}
      show={number}
      onChange={(quantity) => form.setFieldValue("quantity", quantity)}
    />
  );
};

/** The currencies and intervals that the package is on sale for. */
const Offer = ({ record: { form } }: Fields) => {
  const { packageId, currency } = form.values;
  const { data: versions } = useQuery({ ...versionsQuery(packageId), enabled: packageId !== "" });
  const prices = versions?.find(({ state }) => state === "on sale")?.prices ?? [];
  const currencies = [...new Set(prices.map((price) => price.currency))];
  const offered = prices.filter((price) => price.currency === currency);
  const take = (price: VersionPrice | undefined) => {
    form.setValues(offerOf(price, form.values.quantity));
    form.clearFieldError("interval");
  };
  const chosen = offered.find((price) => keyOf(price) === keyOf(form.values));
  return (
    <>
      <div className="form-pair">
        <NativeSelect
          label={t`Currency`}
          data-path="currency"
          disabled={prices.length === 0}
          value={currency}
          data={currencies}
          onChange={({ currentTarget: { value } }) =>
            take(
              prices.find((one) => one.currency === value && keyOf(one) === keyOf(form.values)) ??
                prices.find((one) => one.currency === value),
            )
          }
        />
        <NativeSelect
          label={t`Interval`}
          data-path="interval"
          disabled={prices.length === 0}
          error={form.errors["interval"]}
          value={keyOf(form.values)}
          data={offered.map((price) => ({
            value: keyOf(price),
            label: priceOption(price),
          }))}
          onChange={({ currentTarget: { value } }) =>
            take(offered.find((price) => keyOf(price) === value))
          }
        />
      </div>
      {chosen && isPerUnit(chosen) && <Quantity form={form} />}
    </>
  );
};

const Sold = ({ record, quote }: Props) => {
  const { form } = record;
  const setCodes = (codes: string[]) => {
    // Other codes may not apply either.
    form.setValues({ codes, acceptRejectedCodes: false });
    form.clearFieldError("codes");
  };
  const remove = (code: string) =>
    setCodes(form.values.codes.filter((one) => plainCode(one) !== plainCode(code)));
  const choose = async (packageId: string) => {
    form.setValues({ packageId, addOns: [], ...none });
    form.clearFieldError("packageId");
    const prices = await pricesOf(packageId);
    const monthly = prices.find((one) => one.interval === "month" && one.intervalCount === 1);
    form.setValues(offerOf(monthly ?? prices[0]));
  };
  return (
    <FormSection title={t`Package and price`} help={t`List price minus promotions.`}>
      <Picker
        relation={soldPackage}
        label={t`Package`}
        help={t`Only packages on sale are listed.`}
        path="packageId"
        value={form.values.packageId}
        onChange={(id) => void choose(id)}
        error={form.errors["packageId"]}
        onCreate={null}
      />
      <Offer record={record} />
      <AddOns record={record} />
      <Chips
        label={<Optional>{t`Promotion codes`}</Optional>}
        addLabel={t`Add code`}
        listLabel={t`Added codes`}
        help={t`Capitals, spaces and dashes are ignored.`}
        path="codes"
        max={10}
        isMono
        value={form.values.codes}
        error={form.errors["codes"]}
        onChange={setCodes}
      />
      <RejectedCodes record={record} quote={quote} onRemove={remove} />
    </FormSection>
  );
};

const states = {
  succeeded: { label: t`Paid`, help: t`Access is granted immediately.` },
  pending: { label: t`Pending`, help: t`Access is granted once it's paid.` },
  draft: { label: t`Draft`, help: t`Record or void it later.` },
};

const Payment = ({ record, quote }: Props) => {
  const { form } = record;
  const offset = utcOffset(companyZone, currentTime());
  return (
    <FormSection title={t`Payment details`}>
      <RadioCards
        legend={t`Status`}
        path="state"
        cards={states}
        value={form.values.state}
        onChange={(state) => form.setFieldValue("state", state)}
        columns={1}
      />
      <div className="form-pair">
        <TextField name="provider" />
        <TextInput
          label={t`Reference`}
          className="mono-input"
          description={t`For example, the bank's reference.`}
          {...form.getInputProps("reference")}
        />
      </div>
      <DateTimeField
        zone={companyZone}
        label={transactionFields.occurredAt.form.label}
        description={t`In the time zone ${companyZone} (${offset}).`}
        {...form.getInputProps("occurredAt")}
        value={form.values.occurredAt}
      />
      <Tax record={record} quote={quote} />
      <UseBalance record={record} quote={quote} />
    </FormSection>
  );
};

/** Possible duplicates, shown before another sale is recorded. */
const Duplicates = ({ record: { form }, quote }: Props) => {
  const zone = useTimeZone();
  if (!quote || quote.duplicates.length === 0) return null;
  return (
    <div>
      <Callout tone="warn" icon="alert-triangle" role="status">
        <p>{t`Possible duplicate. Same customer, package and amount within 24 hours.`}</p>
        <ul>
          {quote.duplicates.map((one) => (
            <li key={one.id}>
              <Link to={linkOf(one)} target="_blank" className="mono">
                {one.number}
              </Link>{" "}
              {formatExact(zone, new Date(one.occurredAt))}
            </li>
          ))}
        </ul>
        <label className="another">
          <input
            type="checkbox"
            className="box"
            data-path="isNoDuplicate"
            checked={form.values.isNoDuplicate}
            onChange={({ currentTarget }) =>
              form.setFieldValue("isNoDuplicate", currentTarget.checked)
            }
          />
          {t`This is a separate sale`}
        </label>
      </Callout>
    </div>
  );
};

/** The note and the tags, which can be edited at any time. */
export const Noted = <V extends { note: string; tags: string[] }>({
  record,
}: {
  record: RecordForm<V>;
}) => {
  const form = record.form as unknown as RecordForm<{ note: string; tags: string[] }>["form"];
  return (
    <FormSection title={t`Note`} help={t`Only visible to your team.`}>
      <TextField name="note" />
      <Chips
        label={<Optional>{t`Tags`}</Optional>}
        addLabel={t`Add tag`}
        listLabel={t`Added tags`}
        help={t`For example, a campaign.`}
        path="tags"
        max={20}
        value={form.values.tags}
        error={form.errors["tags"]}
        onChange={(tags) => form.setFieldValue("tags", tags)}
      />
    </FormSection>
  );
};

const existingText = (customer: NonNullable<SaleQuote["customer"]>) => {
  const name = customer.name || customer.email;
  return t`${name} is an existing customer.`;
};

/** The form for a manual sale. */
export const SaleForm = ({ record, quote }: Props) => {
  const known = quote?.customer;
  return (
    <>
      <FormSection title={t`Customer`} help={t`A new address creates a customer.`}>
        <TextField name="email" help={known && existingText(known)} />
      </FormSection>
      <Sold record={record} quote={quote} />
      <Payment record={record} quote={quote} />
      <Duplicates record={record} quote={quote} />
      <Noted record={record} />
    </>
  );
};
