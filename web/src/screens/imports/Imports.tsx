import "./imports.css";
import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import {
  type ImportKind,
  importKinds,
  importPermissions,
} from "@purser/contract/workspace/imports";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { number, percent } from "#lib/intl.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { kindTexts, templateOf } from "./kinds.ts";
import { statusLabels } from "./labels.ts";
import { importsQuery, type RecentImport } from "./queries.ts";
import { Steps } from "./Steps.tsx";
import { uploadFile } from "./uploadFile.ts";

const useUpload = (kind: ImportKind) => {
  const navigate = useNavigate();
  const [share, setShare] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const send = async (file: File | undefined) => {
    if (!file || share !== null) return;
    const controller = new AbortController();
    stop.current = controller;
    setRefusal(null);
    setShare(0);
    try {
      const { signal } = controller;
      const id = await uploadFile({ kind, file, signal, onProgress: setShare });
      await navigate({ to: "/import/$id", params: { id } });
    } catch (error) {
      setShare(null);
      if (controller.signal.aborted) return;
      if (!(error instanceof UserFacingError)) throw error;
      setRefusal(error);
    }
  };
  return { share, refusal, send, cancel: () => stop.current?.abort() };
};

const Uploading = ({ share, onCancel }: { share: number; onCancel: () => void }) => (
  <div className="import-upload">
    <p role="status">{t`Uploading, ${percent(share, 0)}`}</p>
    <progress className="import-bar" value={share} max={1} aria-label={t`Upload`} />
    <div>
      <Button variant="default" onClick={onCancel}>{t`Cancel upload`}</Button>
    </div>
  </div>
);

type ChooseProps = {
  kind: ImportKind;
  onFile: (file?: File) => void;
  limit: number | undefined;
};

const Choose = ({ kind, onFile, limit }: ChooseProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  const size = limit === undefined ? "" : number(limit);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button is accessible.
    <div
      className="import-upload"
      {...(isOver && { "data-over": true })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="import-choose">
        <Button leftSection={<Icon name="upload" />} onClick={() => input.current?.click()}>
          {t`Choose file`}
        </Button>
        <span className="softer">{t`or drop it here`}</span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.tsv,.txt,text/csv"
          onChange={({ currentTarget }) => {
            onFile(currentTarget.files?.[0]);
            // Allows choosing the same file again after it was edited.
            currentTarget.value = "";
          }}
        />
      </div>
      <p className="soft">
        {kindTexts[kind].help}{" "}
        <a className="sentence-link" {...templateOf(kind)}>{t`Download template`}</a>
      </p>
      {kind !== "codes" && <p className="soft">{t`Exports from Stripe are recognized.`}</p>}
      {size && <p className="softer">{t`Up to ${size} MB. Nothing is saved until you confirm.`}</p>}
    </div>
  );
};

const Recent = ({ items }: { items: RecentImport[] }) => (
  <Section title={t`Recent imports`}>
    {items.length === 0 ? (
      <p className="soft">{t`No imports yet.`}</p>
    ) : (
      <div className="import-scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t`File`}</th>
              <th scope="col">{t`Content`}</th>
              <th scope="col">{t`Status`}</th>
              <th scope="col" data-align="end">{t`Rows`}</th>
              <th scope="col" data-align="end">{t`Rejected`}</th>
              <th scope="col">{t`By`}</th>
              <th scope="col">{t`Created`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ id, kind, name, status, rows, done, createdBy, createdAt }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to="/import/$id" params={{ id }}>
                    {name}
                  </Link>
                </th>
                <td>{kindTexts[kind].label}</td>
                <td>
                  <Status status={statusLabels[status]} />
                </td>
                <td data-align="end">{number(rows)}</td>
                <td data-align="end">{number(done.rejected)}</td>
                <td className="soft">{createdBy.name}</td>
                <td className="soft">
                  <Moment at={createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Section>
);

const ImportsScreen = () => {
  const { data, error, refetch } = useQuery(importsQuery);
  const { permissions } = useMe();
  const { kind = "customers" } = useSearch({ from: "/import" });
  const navigate = useNavigate({ from: "/import" });
  const { share, refusal, send, cancel } = useUpload(kind);
  const options = importKinds
    .filter((one) => permissions.includes(importPermissions[one]))
    .map((value) => ({ value, label: kindTexts[value].label }));
  return (
    <div className="record">
      <PageHead title={t`Import`} parent={{ label: t`Users`, to: "/users" }} />
      <Steps current="upload" />
      <div className="import-page">
        {share === null ? (
          <>
            <Segments
              legend={t`What does the file contain?`}
              name="kind"
              value={kind}
              options={options}
              onChange={(chosen) =>
                void navigate({
                  search: chosen === "customers" ? {} : { kind: chosen },
                  replace: true,
                })
              }
            />
            <Choose kind={kind} onFile={(file) => void send(file)} limit={data?.mbMax} />
          </>
        ) : (
          <Uploading share={share} onCancel={cancel} />
        )}
        <Refused refusal={refusal} />
        {error && !data && (
          <Failed title={t`Couldn't load imports`} error={error} onRetry={() => void refetch()} />
        )}
        {data && <Recent items={data.items} />}
      </div>
    </div>
  );
};

export const Imports = () =>
  useMay("imports:write") ? <ImportsScreen /> : <Forbidden permission="imports:write" />;
