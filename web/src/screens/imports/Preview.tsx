import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { exportRejectedRows, startImport } from "@purser/contract/workspace/importActions";
import { importFields, replaceInImport } from "@purser/contract/workspace/imports";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { addressOf, type CallError, call } from "#lib/api/call.ts";
import { number, series } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { needsApproval } from "#ui/dialogs/approval.ts";
import { RefusedAction } from "#ui/dialogs/RefusedAction.tsx";
import { Icon } from "#ui/Icon.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { More } from "#ui/page/More.tsx";
import { Tab } from "#ui/page/Tab.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import { kindTexts } from "./kinds.ts";
import { fieldName, outcomeLabels } from "./labels.ts";
import { ProgressBar } from "./ProgressBar.tsx";
import { type Import, type ImportRow, importChanged, rowsQuery, type Shown } from "./queries.ts";
import { readText } from "./readValue.ts";

type Props = { of: Import; show: Shown };

/** "214 email, 121 country": the rejected rows by the field of their first error. */
const errorText = ({ errors }: Import) => {
  const byField = new Map<string, number>();
  for (const { field, rows } of errors) byField.set(field, (byField.get(field) ?? 0) + rows);
  return series(
    [...byField].map(([field, rows]) => {
      const count = number(rows);
      const name = field ? fieldName(field) : t`whole row`;
      return t`${count} ${name}`;
    }),
  );
};

const Figures = ({ of }: { of: Import }) => {
  const { rows, checked, kind } = of;
  const { created, existing } = kindTexts[kind];
  const figures: [label: string, value: number, help: string, tone?: "bad"][] = [
    [t`Rows`, rows, t`in the file`],
    [created, checked.new, t`will be created`],
    // Only customers are updated.
    ...(kind === "customers"
      ? [[t`Updates`, checked.update, existing] satisfies [string, number, string]]
      : []),
    [t`Already there`, checked.unchanged, kind === "customers" ? t`nothing to do` : existing],
    [t`Rejected`, checked.rejected, errorText(of) || t`no errors`, "bad"],
  ];
  return (
    <dl className="import-figures">
      {figures.map(([label, value, help, tone]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-tone={value > 0 ? tone : undefined}>{number(value)}</dd>
          <dd className="softer">{help}</dd>
        </div>
      ))}
    </dl>
  );
};

const shownMax = 200;

/** A long text would push all other columns out of the window. */
const shortened = (text: string) =>
  text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text;

const Cell = ({ of, row, field }: { of: Import; row: ImportRow; field: string }) => {
  const error = row.errors.find((one) => one.field === field);
  const value = shortened(row.cells[field] ?? "");
  if (!error) {
    const read = readText(field, value, of);
    return (
      <td>
        {value}
        {read !== null && <small className="softer">{read}</small>}
      </td>
    );
  }
  return (
    <td className="import-fault">
      <span>{value || "–"}</span>
      <small>{messageText(error.message)}</small>
    </td>
  );
};

const Rows = ({ of, show }: Props) => {
  const query = useInfiniteQuery(rowsQuery(of, show));
  const { data, error, refetch } = query;
  const fields = importFields[of.kind].filter((field) => of.mapping.includes(field));
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  if (error && !data)
    return <Failed title={t`Couldn't load rows`} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className="import-scroll">
        <table className="plain-table import-table">
          <thead>
            <tr>
              <th scope="col" data-align="end">{t`Row`}</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {fieldName(field)}
                </th>
              ))}
              <th scope="col">{t`Result`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.row}>
                <td className="soft" data-align="end">
                  {number(row.row)}
                </td>
                {fields.map((field) => (
                  <Cell key={field} of={of} row={row} field={field} />
                ))}
                <td>
                  <Status status={outcomeLabels[row.outcome]} />
                  {row.errors
                    .filter((one) => one.field === null)
                    .map((one) => (
                      <small key={one.message.code}>{messageText(one.message)}</small>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data && rows.length === 0 && <p className="soft import-none">{t`No rejected rows.`}</p>}
      <More of={query}>{t`Load more`}</More>
    </>
  );
};

const Suggestions = ({ of: { id, suggestions } }: { of: Import }) =>
  suggestions.map(({ field, from, to, rows }) => {
    const label = plural(rows, {
      one: `Replace “${from}” with ${to} in # row`,
      other: `Replace “${from}” with ${to} in # rows`,
    });
    const replace = async () =>
      importChanged(await call(replaceInImport, { params: { id }, body: { field, from, to } }));
    return (
      <Button key={from} variant="default" size="xs" onClick={() => void attempt(replace)}>
        {label}
      </Button>
    );
  });

/** What the import would do, before anything is saved. */
export const Preview = ({ of, show }: Props) => {
  const navigate = useNavigate();
  const { id, kind, checked, status, position, rows } = of;
  const [refusal, setRefusal] = useState<CallError | null>(null);
  const { title, effect } = kindTexts[kind];
  const go = (step: "map" | "import") =>
    navigate({ to: "/import/$id", params: { id }, search: { step } });
  if (status === "checking")
    return (
      <div className="import-middle">
        <h2>{plural(rows, { one: "Checking # row", other: "Checking # rows" })}</h2>
        <p className="soft">{t`You can leave this page. Nothing is saved yet.`}</p>
        <ProgressBar done={Math.max(0, position - 1)} of={rows} label={t`Check`} />
      </div>
    );
  const changed = checked.new + checked.update;
  const valid = changed + checked.unchanged;
  const rejected = number(checked.rejected);
  const start = async () => {
    try {
      importChanged(await call(startImport, { params: { id }, body: {}, action: title }));
    } catch (error) {
      if (!needsApproval(error)) throw error;
      setRefusal(error);
      return;
    }
    await go("import");
  };
  return (
    <>
      <Figures of={of} />
      <div className="import-bar-row">
        <nav className="tabs" aria-label={t`Rows`}>
          <Tab search={{ step: "preview" }} isCurrent={show === "all"}>
            {t`All rows`}
          </Tab>
          <Tab search={{ step: "preview", show: "rejected" }} isCurrent={show === "rejected"}>
            {t`Rejected`}
            <em>{rejected}</em>
          </Tab>
        </nav>
        <span className="spacer" />
        <Suggestions of={of} />
        {checked.rejected > 0 && (
          <Button
            variant="default"
            size="xs"
            component="a"
            {...downloadLink(addressOf(exportRejectedRows.path, { params: { id } }))}
            leftSection={<Icon name="download" />}
          >
            {t`Download rejected rows`}
          </Button>
        )}
      </div>
      <Rows of={of} show={show} />
      <RefusedAction
        refusal={refusal}
        wanted={{ operation: "POST /imports/:id/start", params: { id }, body: {}, version: null }}
        onRequested={() => void navigate({ to: "/import" })}
      />
      <div className="import-foot">
        <p className="soft">
          {checked.rejected > 0
            ? t`Nothing is saved yet. Rejected rows are skipped.`
            : t`Nothing is saved yet.`}{" "}
          {effect}
        </p>
        <span className="spacer" />
        <Button variant="default" onClick={() => void go("map")}>{t`Back`}</Button>
        <Button onClick={() => void attempt(start)} disabled={valid === 0}>
          {changed > 0 || valid === 0
            ? plural(changed, { one: "Import # row", other: "Import # rows" })
            : t`Finish import`}
        </Button>
      </div>
    </>
  );
};
