import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "./ArchiveEffects.css";
import type { RecordImpact } from "@purser/contract/apps/impact";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { number as grouped } from "#lib/intl.ts";
import { versionStates } from "#lib/labels/versionStates.ts";
import { Consequences } from "../dialogs/Dialog.tsx";
import type { IconName } from "../iconNames.ts";
import { Day } from "../Moment.tsx";

type Impact = Omit<RecordImpact, "lastEnd"> & { lastEnd: string | null };
type Row = { icon: IconName; what: string; amount: ReactNode };

const versionsMax = 8;

type VersionProps = { of: Impact["versions"][number] };

const VersionItem = ({ of: { package: pack, number, state: named } }: VersionProps) => {
  const state = versionStates[named];
  return (
    <li>
      <Link to="/package/view/$id" params={{ id: pack.id }} className="sentence-link">
        {pack.name}
      </Link>
      <span className="soft">{t`Version ${number} (${state})`}</span>
    </li>
  );
};

/** The packages that can't be sold or published any more. */
const Versions = ({ versions }: Pick<Impact, "versions">) => {
  const more = versions.length - versionsMax;
  if (versions.length === 0) return null;
  return (
    <div>
      <p>
        {t`These versions can't be sold or published. Restore what is archived, or publish versions without it.`}
      </p>
      <ul className="archive-versions">
        {versions.slice(0, versionsMax).map((one) => (
          <VersionItem key={`${one.package.id} ${one.number}`} of={one} />
        ))}
        {more > 0 && (
          <li className="soft">
            {plural(more, { one: "And # more version", other: "And # more versions" })}
          </li>
        )}
      </ul>
    </div>
  );
};

/** Until when customers keep their access. */
const Ends = ({ customers, renewing, endless, lastEnd }: Impact) => {
  if (customers === 0) return null;
  const isCertain = renewing === 0 && endless === 0 && lastEnd;
  return (
    <p className="soft">
      {isCertain ? (
        <Trans>
          Customers keep their access until it ends, at the latest on <Day at={lastEnd} />.
        </Trans>
      ) : (
        t`Customers keep their access until it ends. Subscriptions keep renewing.`
      )}
      {endless !== null &&
        endless > 0 &&
        ` ${plural(endless, {
          one: "# customer has access without an end date.",
          other: "# customers have access without an end date.",
        })}`}
    </p>
  );
};

/** How many customers there are, or at most. */
export const customersLabel = ({ customers, isAtMost }: Pick<Impact, "customers" | "isAtMost">) => {
  const counted = grouped(customers);
  return isAtMost ? t`at most ${counted}` : counted;
};

/** Unknown if there are very many customers. */
export const renewingRow = ({ renewing }: Pick<Impact, "renewing">): Row[] =>
  renewing === null
    ? []
    : [
        {
          icon: "calendar-repeat",
          what: t`Customers whose subscriptions keep renewing`,
          amount: grouped(renewing),
        },
      ];

type Props = {
  impact: Impact;
  /** What is archived. */
  rows: Row[];
};

/** The consequences of archiving apps or features, in numbers, with links to the packages concerned. */
export const ArchiveEffects = ({ impact, rows }: Props) => {
  const { versions, promotions } = impact;
  const onSale = versions.filter(({ state }) => state === "on sale").length;
  return (
    <>
      <Consequences
        of={[
          ...rows,
          { icon: "tag-off", what: t`Packages that can't be sold`, amount: grouped(onSale) },
          { icon: "users", what: t`Customers who keep access`, amount: customersLabel(impact) },
          ...renewingRow(impact),
          ...(promotions.length === 0
            ? []
            : [
                {
                  icon: "discount" as const,
                  what: t`Promotions that stop giving it to buyers`,
                  amount: grouped(promotions.length),
                },
              ]),
          { icon: "ban", what: t`Customers who lose access`, amount: grouped(0) },
        ]}
      />
      <Versions versions={versions} />
      <Ends {...impact} />
    </>
  );
};
