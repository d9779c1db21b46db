import { t } from "@lingui/core/macro";
import "#ui/form/form.css";
import { NativeSelect, TextInput } from "@mantine/core";
import { countries } from "@purser/contract/fields/places";
import { changeTaxRate, createTaxRate, rateCategories } from "@purser/contract/money/taxRates";
import { useMemo, useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { byName, nameOf, number } from "#lib/intl.ts";
import { taxCategoryNames } from "#lib/labels/packages.ts";
import { parseBasisPoints } from "#lib/parseNumber.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { DateField } from "#ui/dates/DateInput.tsx";
import { isLocalTime } from "#ui/dates/parseDate.ts";
import { ActionDialog, type Errors, type Read } from "#ui/dialogs/ActionDialog.tsx";
import { Optional } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { TaxRate } from "../queries.ts";
import { endDayOf, untilOf } from "./rateLabels.ts";

const useRate = (rate: TaxRate | null) => {
  const zone = useTimeZone();
  const today = localDateTime(zone, currentTime()).slice(0, 10);
  const [points, setPoints] = useState<number | string>(rate?.basisPoints ?? "");
  const [from, setFrom] = useState(rate?.validFrom ?? today);
  const [end, setEnd] = useState(endDayOf(rate?.validUntil ?? null));
  return { zone, points, setPoints, from, setFrom, end, setEnd };
};

type Edited = ReturnType<typeof useRate>;

const errorsOf = ({ points, from, end }: Edited) => ({
  points: typeof points === "number" ? null : t`Enter a percentage, such as 19.`,
  from: isLocalTime(from, false) ? null : t`Enter a date.`,
  end: end === "" || isLocalTime(end, false) ? null : t`Enter a date.`,
});

const useCountries = () =>
  useMemo(
    () =>
      countries
        .map((value) => ({ value, label: nameOf("region", value) }))
        .sort((a, b) => byName(a.label, b.label)),
    [],
  );

type FieldsProps = { rate: TaxRate | null; of: Edited; errors: Errors; isSubmitted: boolean };

const Fields = ({ rate, of, errors, isSubmitted }: FieldsProps) => {
  const own = errorsOf(of);
  return (
    <>
      <div className="form-pair">
        <NativeSelect
          label={t`Country`}
          name="country"
          data={[{ value: "", label: t`Choose a country` }, ...useCountries()]}
          defaultValue={rate?.country ?? ""}
          error={errors["country"]}
          data-autofocus
        />
        <TextInput
          label={<Optional>{t`Region`}</Optional>}
          name="region"
          defaultValue={rate?.region ?? ""}
          error={errors["region"]}
        />
        <TextInput
          label={t`Name`}
          name="name"
          placeholder={t`VAT`}
          defaultValue={rate?.name ?? ""}
          error={errors["name"]}
        />
        <NativeSelect
          label={t`Tax category`}
          name="category"
          data={rateCategories.map((value) => ({ value, label: taxCategoryNames[value] }))}
          defaultValue={rate?.category ?? "standard"}
          error={errors["category"]}
        />
        <ParsedNumberInput
          label={t`Rate in percent`}
          name="basisPoints"
          className="number-input"
          inputMode="decimal"
          value={of.points}
          read={parseBasisPoints}
          show={(points) => number(points / 100)}
          onChange={of.setPoints}
          error={errors["basisPoints"] ?? (isSubmitted ? own.points : null)}
        />
      </div>
      <div className="form-pair">
        <DateField
          label={t`Start date`}
          name="validFrom"
          zone={of.zone}
          value={of.from}
          onChange={of.setFrom}
          error={errors["validFrom"] ?? (isSubmitted ? own.from : null)}
        />
        <DateField
          label={<Optional>{t`End date`}</Optional>}
          description={t`The last day on which it applies.`}
          name="validUntil"
          zone={of.zone}
          value={of.end}
          onChange={of.setEnd}
          error={errors["validUntil"] ?? (isSubmitted ? own.end : null)}
        />
      </div>
    </>
  );
};

type Props = { rate: TaxRate | null; onClose: () => void };

/** Adds a tax rate, or changes or ends it. */
export const TaxRateDialog = ({ rate, onClose }: Props) => {
  const edited = useRate(rate);
  const [isSubmitted, setSubmitted] = useState(false);
  const bodyOf = (read: Read) => ({
    country: read("country"),
    region: read("region") === "" ? null : read("region"),
    name: read("name"),
    category: read("category") as TaxRate["category"],
    basisPoints: Number(edited.points),
    validFrom: edited.from,
    validUntil: untilOf(edited.end),
  });
  return (
    <ActionDialog
      onClose={onClose}
      title={rate ? t`Edit tax rate` : t`Add tax rate`}
      fact={t`Applies to sales, renewals and changes from now on. Past sales don't change.`}
      sign={{ icon: "receipt", tone: "info" }}
      button={rate ? t`Save tax rate` : t`Add tax rate`}
      changed={() => queryClient.invalidateQueries({ queryKey: ["settings"] })}
      isReady={() => {
        setSubmitted(true);
        return Object.values(errorsOf(edited)).every((error) => error === null);
      }}
      action={(read, keyFor) => {
        const body = bodyOf(read);
        return rate
          ? call(changeTaxRate, { params: { id: rate.id }, body, version: rate.version })
          : call(createTaxRate, { body, key: keyFor(body) });
      }}
      told={() => (rate ? t`Tax rate saved` : t`Tax rate added`)}
    >
      {(errors) => <Fields rate={rate} of={edited} errors={errors} isSubmitted={isSubmitted} />}
    </ActionDialog>
  );
};
