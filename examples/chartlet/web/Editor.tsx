import { Feature, useUsage } from "@purser/client/react";
import { type ReactNode, useState } from "react";
import { defaultColor, drawChart, readBars } from "../chart.ts";
import { call, day, type Me, purser } from "./api.ts";
import type { Go } from "./place.ts";

const example = "Berlin, 42\nLisbon, 35\nOslo, 18\nWarsaw, 27";

const plansLink = (go: Go, text: string) => (
  <a
    href="/plans"
    onClick={(event) => {
      event.preventDefault();
      go("/plans");
    }}
  >
    {text}
  </a>
);

const Left = ({ go }: { go: Go }) => {
  const { remaining, limit, resetsAt, isLoading } = useUsage("exports");
  if (isLoading) return <p role="status">Loading exports</p>;
  if (limit === null || remaining === null)
    return <p role="status">Exports left are unknown right now.</p>;
  return (
    <div className="left">
      <p role="status">
        <b>{remaining}</b> of {limit} exports left this month
      </p>
      <meter min={0} max={limit} value={remaining} aria-label="Exports left" />
      {remaining === 0 && (
        <p className="note">
          {resetsAt && `You get new exports on ${day(resetsAt)}. `}
          {plansLink(go, "See plans with more exports")}
        </p>
      )}
    </div>
  );
};

const download = (svg: string, name: string) => {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
};

type Chart = { title: string; rows: string; color: string };

const ExportButton = ({ me, chart, go }: { me: Me; chart: Chart; go: Go }) => {
  const [status, setStatus] = useState<ReactNode>("");
  const [isBusy, setIsBusy] = useState(false);
  const start = async () => {
    setIsBusy(true);
    try {
      const { svg } = await call<{ svg: string }>("POST", "/exports", chart);
      download(svg, "chart.svg");
      setStatus("Chart exported");
    } catch (refused) {
      setStatus((refused as Error).message);
    }
    purser.invalidate([me.id]);
    setIsBusy(false);
  };
  return (
    <>
      <Left go={go} />
      <button type="button" onClick={start} disabled={isBusy}>
        Export SVG
      </button>
      <p aria-live="polite" className="note">
        {status}
      </p>
    </>
  );
};

type Fields = { chart: Chart; change: (part: Partial<Chart>) => void };

const Color = ({ chart, change }: Fields) => (
  <label>
    Brand color
    <input
      type="color"
      value={chart.color}
      onChange={({ target }) => change({ color: target.value })}
    />
  </label>
);

/** Everyone can draw charts. Exports are counted, and colors are in a package. */
export const Editor = ({ me, go }: { me: Me | null; go: Go }) => {
  const [chart, setChart] = useState({ title: "Visitors", rows: example, color: defaultColor });
  const change = (part: Partial<Chart>) => setChart((was) => ({ ...was, ...part }));
  const bars = readBars(chart.rows);
  const signUp = (
    <button type="button" onClick={() => go("/sign-in")}>
      Sign up to export
    </button>
  );
  return (
    <>
      <h1>Turn numbers into a chart</h1>
      <div className="columns">
        <form className="card" onSubmit={(event) => event.preventDefault()}>
          <label>
            Title
            <input value={chart.title} onChange={({ target }) => change({ title: target.value })} />
          </label>
          <label>
            Label and number in each line
            <textarea
              rows={6}
              value={chart.rows}
              onChange={({ target }) => change({ rows: target.value })}
            />
          </label>
          {me && (
            <Feature
              code="brand-color"
              fallback={<p className="note">{plansLink(go, "Use your brand color")}</p>}
            >
              <Color chart={chart} change={change} />
            </Feature>
          )}
          {me ? <ExportButton me={me} chart={chart} go={go} /> : signUp}
        </form>
        <section className="card" aria-label="Preview">
          {bars ? (
            <img
              alt={`${chart.title}: ${chart.rows.replaceAll("\n", "; ")}`}
              src={`data:image/svg+xml,${encodeURIComponent(drawChart(chart.title, bars, chart.color))}`}
            />
          ) : (
            <p className="note">Enter a label and a number in each line.</p>
          )}
        </section>
      </div>
    </>
  );
};
