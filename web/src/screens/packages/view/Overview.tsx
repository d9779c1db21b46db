import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { series } from "#lib/intl.ts";
import { taxCategoryNames } from "#lib/labels/packages.ts";
import { totalLabels } from "#ui/list/Pager.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { Status } from "#ui/Status.tsx";
import { BuyerTicket, linesOf } from "../BuyerTicket.tsx";
import { kindLabels, statusOf, visibilityLabels } from "../labels.ts";
import { basesQuery, linkOf, type Package, useShownContents } from "../queries.ts";

/** The neighbors in the package's group; the one above is its upgrade. */
const useNeighbours = ({ id, group }: Package) => {
  const { data = [] } = useQuery({ ...basesQuery, enabled: group !== null });
  const row = data.filter((one) => one.group === group);
  const place = row.findIndex((one) => one.id === id);
  return place < 0 ? {} : { above: row[place + 1], below: row[place - 1] };
};

const Neighbour = ({ of }: { of: Package }) => (
  <Link to={linkOf(of)} className="sentence-link">
    {of.name}
  </Link>
);

/** A package's details in one column, for the side of its page and the list's preview. */
export const Overview = ({ stored }: { stored: Package }) => {
  const { above, below } = useNeighbours(stored);
  const { data: contents } = useShownContents(stored.id);
  const { prices, trialDays } = contents ?? stored;
  return (
    <>
      <Section title={t`Preview for buyers`}>
        <BuyerTicket
          name={stored.name}
          description={stored.description}
          prices={prices}
          trialDays={trialDays}
          lines={contents ? linesOf(contents.contents) : []}
        />
      </Section>
      <Section title={t`Details`}>
        <Facts
          of={[
            [t`Status`, <Status key="status" status={statusOf(stored)} />],
            [t`Code`, <Reference key="code" value={stored.code} copyLabel={t`Copy code`} />],
            [
              t`ID`,
              <Reference
                key="id"
                value={stored.id}
                shown={`${stored.id.slice(0, 13)}…`}
                copyLabel={t`Copy ID`}
              />,
            ],
            [t`Type`, kindLabels[stored.kind].label],
            stored.kind === "base"
              ? [t`Group`, stored.group ?? t`None`]
              : [t`Base package groups`, series(stored.baseGroups) || t`Any group`],
            ...(above ? [[t`Next tier`, <Neighbour key="above" of={above} />] as const] : []),
            ...(below ? [[t`Previous tier`, <Neighbour key="below" of={below} />] as const] : []),
            [t`Tax category`, taxCategoryNames[stored.taxCategory]],
            [t`Visibility`, visibilityLabels[stored.visibility].label],
            [
              t`Trial`,
              trialDays === 0 ? t`No trial` : plural(trialDays, { one: "# day", other: "# days" }),
            ],
            [t`Subscribers`, totalLabels(stored.subscribers)],
            [t`Created`, <Moment key="created" at={stored.createdAt} />],
            [t`Updated`, <Moment key="changed" at={stored.updatedAt} />],
          ].map(([label, value]) => [label as string, value])}
        />
      </Section>
    </>
  );
};
