import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { useMay } from "#lib/session/session.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { archivedReason } from "../labels.ts";
import { matrixOf, type Package } from "../queries.ts";

type Part = NonNullable<Package["onSale"]>["archived"][number];

const PartLink = ({ part: { what, id, name } }: { part: Part }) => (
  <Link to={what === "app" ? "/apps/view/$id" : "/feature/view/$id"} params={{ id }}>
    {t`Open ${name}`}
  </Link>
);

/** Why the version on sale can't be sold, and where to fix it. */
export const ArchivedContents = ({ stored }: { stored: Package }) => {
  const mayWrite = useMay("packages:write");
  const { onSale, status } = stored;
  if (status === "archived" || !onSale || onSale.archived.length === 0) return null;
  const { number, archived } = onSale;
  return (
    <div>
      <Callout tone="warn" icon="ban">
        <p>
          {t`Version ${number} can't be sold.`} {archivedReason(archived)}{" "}
          {t`Restore what is archived, or publish a version without it. Customers keep their access.`}
        </p>
        <p>
          {archived.map((part) => (
            <span key={part.id}>
              <PartLink part={part} />{" "}
            </span>
          ))}
          {mayWrite && <Link to={matrixOf(stored)}>{t`Edit apps and features`}</Link>}
        </p>
      </Callout>
    </div>
  );
};
