import "./matrix.css";
import "#ui/form/form.css";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useMay } from "#lib/session/session.ts";
import { Missing } from "#shell/errors/Missing.tsx";
import { Forbidden } from "#ui/page/Forbidden.tsx";
import { PageHead } from "#ui/page/Page.tsx";
import { MatrixScreen } from "./MatrixScreen.tsx";
import { matrixQuery } from "./queries.ts";

const lines = ["72%", "58%", "80%", "64%", "70%", "52%", "76%", "60%"];

/** A placeholder of eight rows in their final size. */
const Skeleton = () => (
  <div className="package-apps" role="status" aria-label={t`Loading`}>
    <PageHead title={t`Apps and features`} heading={<span className="skeleton skeleton-title" />} />
    <div className="package-apps-columns">
      <div className="package-apps-main">
        {lines.map((width) => (
          <div key={width} className="matrix-loading">
            <span className="skeleton" style={{ width }} />
          </div>
        ))}
      </div>
      <aside className="impact">
        <span className="skeleton" />
      </aside>
    </div>
  </div>
);

export const PackageApps = () => {
  const { id } = useParams({ from: "/package/apps/$id" });
  const { with: compared } = useSearch({ from: "/package/apps/$id" });
  const mayRead = useMay("packages:read");
  const { data, error, refetch } = useQuery({ ...matrixQuery(id, compared), enabled: mayRead });
  if (!mayRead) return <Forbidden permission="packages:read" />;
  if (error && !data) return <Missing id={id} error={error} onRetry={() => refetch()} />;
  return data ? <MatrixScreen matrix={data} compared={compared} /> : <Skeleton />;
};
