import "./sums.css";
import { plural, t } from "@lingui/core/macro";
import { queryOf } from "@purser/contract/pages/listSearch";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { amount, number } from "#lib/intl.ts";
import { Icon } from "#ui/Icon.tsx";
import type { ListSums, Sums as Summed } from "../declaration.ts";
import type { ListState } from "../listSearch.ts";

type Sum = { currency: string; minor: bigint };

const Amount = ({ currency, minor }: Sum) => (
  <span className="money">
    <b>
      {minor < 0n && "−"}
      {amount(minor < 0n ? -minor : minor, currency)}
    </b>{" "}
    <small>{currency}</small>
  </span>
);

const sumsOf = ({ sums }: Summed, name: string): Sum[] =>
  sums.map(({ currency, amounts }) => ({ currency, minor: BigInt(amounts[name] ?? "0") }));

type LineProps = { label: string; sums: Sum[] };

/** The sums of one column. On phones only the first one, until the line is opened. */
const Line = ({ label, sums }: LineProps) => {
  const [isOpen, setOpen] = useState(false);
  const others = sums.length - 1;
  return (
    <div className="sums-line" data-open={isOpen}>
      <b>{label}</b>
      <span className="spacer" />
      <ul>
        {sums.map((sum) => (
          <li key={sum.currency}>
            <Amount {...sum} />
          </li>
        ))}
      </ul>
      {others > 0 && (
        <button
          type="button"
          className="sums-more"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen
            ? t`Less`
            : plural(others, { one: "# more currency", other: "# more currencies" })}
          <Icon name="chevron-down" size={14} />
        </button>
      )}
    </div>
  );
};

type Props = {
  sums: ListSums;
  /** The visible columns. */
  columns: readonly { id: string; label: string }[];
  search: ListState["search"];
  name: string;
  /** The rows have arrived. */
  isReady: boolean;
};

const Note = ({ state, onAll }: { state: Summed["state"]; onAll: () => void }) =>
  state === "too slow" ? (
    <span>{t`Narrow the filter to see sums.`}</span>
  ) : (
    <span>
      {t`Too many rows to add up automatically.`}{" "}
      <button type="button" className="quiet-link" onClick={onAll}>
        {t`Calculate sums`}
      </button>
    </span>
  );

/** The sums of all filtered rows, by currency. They are requested after the rows. */
export const Sums = ({ sums, columns, search: { q, f }, name, isReady }: Props) => {
  const { read, columns: summed } = sums;
  const [isAll, setAll] = useState(false);
  const { size: _, ...query } = queryOf({ q, f });
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [name, "sums", query, isAll],
    enabled: isReady,
    queryFn: ({ signal }) => read({ ...query, ...(isAll && { all: "true" as const }) }, signal),
  });
  if (error)
    return (
      <Bar>
        <span>
          {t`Couldn't load the sums.`}{" "}
          <button type="button" className="quiet-link" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </span>
      </Bar>
    );
  if (!data) return <Bar>{isFetching && <span className="softer">{t`Adding up…`}</span>}</Bar>;
  if (data.state !== "complete")
    return (
      <Bar>
        <Note state={data.state} onAll={() => setAll(true)} />
      </Bar>
    );
  const rows = data.sums.reduce((all, sum) => all + sum.rows, 0);
  if (rows === 0) return null;
  const visible = columns.filter(({ id }) => Object.hasOwn(summed, id));
  return (
    <Bar>
      {visible.map(({ id, label }, place) => (
        <Line
          key={id}
          label={place === 0 && !sums.isPerCurrency ? t`Sum of ${{ rows: number(rows) }}` : label}
          sums={sumsOf(data, summed[id] ?? "")}
        />
      ))}
    </Bar>
  );
};

const Bar = ({ children }: { children: React.ReactNode }) => (
  <section className="sums" aria-label={t`Sums`} aria-live="polite">
    {children}
  </section>
);
