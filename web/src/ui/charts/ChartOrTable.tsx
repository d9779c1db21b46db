import { t } from "@lingui/core/macro";
import { type ReactNode, useId, useState } from "react";
import { Segments } from "../form/inputs/Segments.tsx";

type Props = {
  title: string;
  /** Which color is what. */
  legend?: readonly { label: string; color: number }[];
  note?: ReactNode;
  chart: ReactNode;
  table: ReactNode;
};

/** A chart and the table with the same values. */
export const ChartOrTable = ({ title, legend = [], note, chart, table }: Props) => {
  const [shown, setShown] = useState<"chart" | "table">("chart");
  const name = useId();
  return (
    <section className="chart-or-table">
      <header className="section-head">
        <h2>{title}</h2>
        {legend.length > 0 && (
          <ul className="chart-legend">
            {legend.map(({ label, color }) => (
              <li key={label} data-color={color}>
                {label}
              </li>
            ))}
          </ul>
        )}
        <span className="spacer" />
        <Segments
          legend={t`Show as`}
          name={name}
          value={shown}
          options={[
            { value: "chart", label: t`Chart` },
            { value: "table", label: t`Table` },
          ]}
          onChange={setShown}
        />
      </header>
      {shown === "chart" ? chart : <div className="chart-table">{table}</div>}
      {note && <p className="chart-note">{note}</p>}
    </section>
  );
};
