import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { nameOf, percentOfBasisPoints } from "#lib/intl.ts";
import { taxCategoryNames } from "#lib/labels/packages.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Section } from "#ui/page/Page.tsx";
import { type TaxRate, taxRatesQuery } from "../queries.ts";
import { dayLabel, endDayOf } from "./rateLabels.ts";

const TaxRateDialog = part(async () => (await import("./TaxRateDialog.tsx")).TaxRateDialog);

type RowProps = { rate: TaxRate; onEdit: (() => void) | null };

const RateRow = ({ rate, onEdit }: RowProps) => {
  const { country, region, name, category, basisPoints, validFrom, validUntil } = rate;
  const place = nameOf("region", country);
  return (
    <tr>
      <th scope="row">{region === null ? place : t`${place}, ${region}`}</th>
      <td>{name}</td>
      <td>{taxCategoryNames[category]}</td>
      <td className="end">{percentOfBasisPoints(basisPoints)}</td>
      <td>{dayLabel(validFrom)}</td>
      <td className="soft">{validUntil === null ? "–" : dayLabel(endDayOf(validUntil))}</td>
      {onEdit && (
        <td className="end">
          <button
            type="button"
            className="quiet-link"
            aria-label={t`Edit ${name} in ${place}`}
            onClick={onEdit}
          >
            {t`Edit`}
          </button>
        </td>
      )}
    </tr>
  );
};

type TableProps = { rates: readonly TaxRate[]; onEdit: ((rate: TaxRate) => void) | null };

const Rates = ({ rates, onEdit }: TableProps) => (
  <div className="scroll-x">
    <table className="plain-table">
      <thead>
        <tr>
          <th scope="col">{t`Country`}</th>
          <th scope="col">{t`Name`}</th>
          <th scope="col">{t`Tax category`}</th>
          <th scope="col" className="end">
            {t`Rate`}
          </th>
          <th scope="col">{t`Start date`}</th>
          <th scope="col">{t`End date`}</th>
          {onEdit && <td />}
        </tr>
      </thead>
      <tbody>
        {rates.map((rate) => (
          <RateRow key={rate.id} rate={rate} onEdit={onEdit && (() => onEdit(rate))} />
        ))}
      </tbody>
    </table>
  </div>
);

/** Outside of the form, because rates are saved one by one. */
export const TaxRates = ({ mayWrite }: { mayWrite: boolean }) => {
  const { data: rates, error, refetch } = useQuery(taxRatesQuery);
  const [edited, setEdited] = useState<TaxRate | "new" | null>(null);
  if (error && !rates)
    return <Failed title={t`Couldn't load tax rates`} error={error} onRetry={() => refetch()} />;
  return (
    <Section
      id="tax-rates"
      title={t`Tax rates`}
      actions={
        mayWrite && (
          <Button variant="default" size="xs" onClick={() => setEdited("new")}>
            {t`Add tax rate`}
          </Button>
        )
      }
    >
      {rates?.length === 0 && (
        <p className="soft">{t`No tax rates yet. Sales are recorded without tax.`}</p>
      )}
      {rates && rates.length > 0 && <Rates rates={rates} onEdit={mayWrite ? setEdited : null} />}
      <Suspense>
        {edited && (
          <TaxRateDialog rate={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
        )}
      </Suspense>
    </Section>
  );
};
