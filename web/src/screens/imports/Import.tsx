import "./imports.css";
import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { stopImport } from "@purser/contract/workspace/importActions";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { series } from "#lib/intl.ts";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { sizeText } from "#ui/page/downloads.ts";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead, RecordSkeleton } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { kindTexts } from "./kinds.ts";
import { rowsText } from "./labels.ts";
import { MapColumns } from "./MapColumns.tsx";
import { Preview } from "./Preview.tsx";
import { Progress } from "./Progress.tsx";
import { type Import, importChanged, importQuery, type Shown } from "./queries.ts";
import { type Step, Steps } from "./Steps.tsx";

const drafts = ["uploading", "uploaded", "checking", "checked"];

/** The step of the URL, as far as the import has come. */
const stepOf = ({ status }: Import, asked: string | undefined): Step => {
  if (status === "uploading" || status === "canceled") return "upload";
  if (!drafts.includes(status)) return "import";
  if (status === "uploaded") return "map";
  return asked === "map" ? "map" : "preview";
};

const Ended = ({ of: { status } }: { of: Import }) => (
  <div className="import-middle">
    <h2>{status === "canceled" ? t`Import canceled` : t`The upload isn't complete`}</h2>
    <p className="soft">
      {status === "canceled"
        ? t`Nothing was imported. The uploaded rows are deleted.`
        : t`Upload the file again to continue.`}
    </p>
    <div>
      <Button component={Link} to="/import">{t`Upload a file`}</Button>
    </div>
  </div>
);

const Body = ({ of, step, show }: { of: Import; step: Step; show: Shown }) => {
  if (step === "map") return <MapColumns of={of} />;
  if (step === "preview") return <Preview of={of} show={show} />;
  return step === "import" ? <Progress of={of} /> : <Ended of={of} />;
};

const HeadAction = ({ of: { id, status } }: { of: Import }) => {
  const navigate = useNavigate();
  const cancel = async () => {
    importChanged(await call(stopImport, { params: { id }, body: {} }));
    await navigate({ to: "/import" });
  };
  if (drafts.includes(status))
    return (
      <Button variant="default" onClick={() => void attempt(cancel)}>{t`Cancel import`}</Button>
    );
  return (
    <Button component={Link} to="/import" variant="default">
      {t`Close`}
    </Button>
  );
};

const ImportScreen = () => {
  const { id } = useParams({ from: "/import/$id" });
  const search = useSearch({ from: "/import/$id" });
  const { data, error, refetch } = useQuery(importQuery(id));
  if (error && !data) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  if (!data) return <RecordSkeleton />;
  const step = stepOf(data, search.step);
  const columns = plural(data.columns.length, { one: "# column", other: "# columns" });
  return (
    <div className="record">
      <PageHead
        title={kindTexts[data.kind].title}
        parent={[
          { label: t`Users`, to: "/users" },
          { label: t`Import`, to: "/import" },
        ]}
        actions={<HeadAction of={data} />}
        facts={
          <span className="soft">
            {data.name} · {series([rowsText(data.rows), columns, sizeText(data.bytes)])}
          </span>
        }
      />
      <Steps current={step} isDone={["finished", "undone"].includes(data.status)} />
      <div className="import-page">
        <Body of={data} step={step} show={search.show ?? "all"} />
      </div>
    </div>
  );
};

export const ViewImport = () =>
  useMay("imports:write") ? <ImportScreen /> : <Forbidden permission="imports:write" />;
