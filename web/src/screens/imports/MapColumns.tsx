import { plural, t } from "@lingui/core/macro";
import { Button, NativeSelect } from "@mantine/core";
import {
  importFields,
  importKeyFields,
  mapImport,
  requiredImportFields,
} from "@purser/contract/workspace/imports";
import type { Written } from "@purser/contract/workspace/importValues";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { list, number } from "#lib/intl.ts";
import { Refused } from "#ui/page/Callout.tsx";
import { Status } from "#ui/Status.tsx";
import { fieldName } from "./labels.ts";
import { type Import, importChanged } from "./queries.ts";
import { SavedMappings } from "./SavedMappings.tsx";
import { useWritten, WrittenAs } from "./WrittenAs.tsx";

type Props = { of: Import };

/** The rows that the last check rejected because of a column, if it is still mapped to the same field. */
const rejectedBy = ({ mapping, errors }: Import, place: number, field: string | null) =>
  field === null || mapping[place] !== field
    ? 0
    : errors.reduce((sum, error) => sum + (error.field === field ? error.rows : 0), 0);

const checkOf = (field: string | null, kind: Import["kind"], rejected: number) => {
  if (rejected > 0) {
    const word = plural(rejected, { one: "# row rejected", other: "# rows rejected" });
    return <Status status={{ word, icon: "alert-triangle", tone: "warn" }} />;
  }
  if (field === null) return <span className="softer">{t`Skipped`}</span>;
  if (field === importKeyFields[kind])
    return <Status status={{ word: t`Identifies the record`, icon: "key", tone: "info" }} />;
  return <Status status={{ word: t`Mapped`, icon: "circle-check", tone: "ok", quiet: true }} />;
};

const useMapping = ({ id, mapping: stored }: Import) => {
  const navigate = useNavigate();
  const [mapping, setMapping] = useState(stored);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const choose = (place: number, field: string | null) => {
    setRefusal(null);
    // A field belongs to one column, so choosing it again moves it.
    setMapping((before) =>
      before.map((one, index) => (index === place ? field : one === field ? null : one)),
    );
  };
  const preview = async (written: Written) => {
    setBusy(true);
    try {
      importChanged(await call(mapImport, { params: { id }, body: { mapping, ...written } }));
      await navigate({ to: "/import/$id", params: { id }, search: { step: "preview" } });
    } catch (error) {
      if (!(error instanceof UserFacingError)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  const chooseAll = (all: (string | null)[]) => {
    setRefusal(null);
    setMapping(all);
  };
  return { mapping, busy, refusal, choose, chooseAll, preview };
};

/** Which field each column of the file is. */
export const MapColumns = ({ of }: Props) => {
  const { columns, kind, rows } = of;
  const { mapping, busy, refusal, choose, chooseAll, preview } = useMapping(of);
  const about = useWritten(of, mapping);
  const missing = requiredImportFields[kind].filter((field) => !mapping.includes(field));
  const mapped = mapping.filter((field) => field !== null).length;
  const all = number(columns.length);
  const status =
    missing.length > 0
      ? t`Map a column to ${list(missing.map(fieldName))}.`
      : about.isKnown
        ? t`${number(mapped)} of ${all} columns mapped. The mapping is reused for files with the same columns.`
        : t`Choose how numbers and dates are written in the file.`;
  const button = plural(rows, { one: "Preview # row", other: "Preview # rows" });
  return (
    <>
      <SavedMappings
        of={of}
        mapping={mapping}
        isComplete={missing.length === 0}
        onChoose={chooseAll}
      />
      <div className="import-scroll">
        <table className="plain-table import-table import-mapping">
          <thead>
            <tr>
              <th scope="col">{t`Column in the file`}</th>
              <th scope="col">{t`First values`}</th>
              <th scope="col">{t`Field in Purser`}</th>
              <th scope="col">{t`Check`}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, samples }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have the same name.
              <tr key={place}>
                <th scope="row" className="mono">
                  {name || t`Column ${place + 1}`}
                </th>
                <td className="soft import-samples">{samples.join(", ")}</td>
                <td>
                  <NativeSelect
                    aria-label={t`Field for ${name}`}
                    value={mapping[place] ?? ""}
                    onChange={({ currentTarget }) => choose(place, currentTarget.value || null)}
                    data={[
                      { value: "", label: t`Don't import` },
                      ...importFields[kind].map((field) => ({
                        value: field,
                        label: fieldName(field),
                      })),
                    ]}
                  />
                </td>
                <td>
                  {checkOf(
                    mapping[place] ?? null,
                    kind,
                    rejectedBy(of, place, mapping[place] ?? null),
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <WrittenAs of={of} mapping={mapping} about={about} />
      <Refused refusal={refusal} />
      <div className="import-foot">
        <p className="soft" role="status">
          {status}
        </p>
        <span className="spacer" />
        <Button
          onClick={() => void preview(about.written)}
          loading={busy}
          disabled={missing.length > 0 || !about.isKnown}
        >
          {button}
        </Button>
      </div>
    </>
  );
};
