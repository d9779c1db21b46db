import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { type ColumnLabels, changesOf, type Entry } from "#ui/record/Activity.tsx";
import { actorName } from "#ui/record/Actor.tsx";
import { columnName } from "#ui/record/columnNames.ts";
import { Diff } from "#ui/record/Diff.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { detailedTitleOf, labelOf, placeOf } from "./labels.ts";
import { valueLabel } from "./values.ts";

const RevertEntry = part(async () => (await import("./RevertEntry.tsx")).RevertEntry);

const columnLabels = (entry: Entry, zone: string): ColumnLabels =>
  Object.fromEntries(
    entry.changes.map(({ field }) => [
      field,
      { label: columnName(field), show: valueLabel(entry, field, zone) },
    ]),
  );

const OtherEntry = ({ id }: { id: string }) => (
  <Link to="/audit" search={{ preview: id }} className="sentence-link">
    {t`Entry ${id}`}
  </Link>
);

/** An audit entry with its changes, actor, origin and reason, and an action to revert it. */
export const EntryOverview = ({ entry }: { entry: Entry }) => {
  const [asks, setAsks] = useState(false);
  const place = placeOf(entry);
  const changes = changesOf(entry, columnLabels(entry, useTimeZone()));
  return (
    <>
      <Section
        title={t`Changes`}
        actions={
          entry.canRevert && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="arrow-back-up" />}
              onClick={() => setAsks(true)}
            >
              {t`Revert…`}
            </Button>
          )
        }
      >
        {changes.length > 0 ? (
          <Diff changes={changes} />
        ) : (
          <p className="softer">{t`A secret was changed. Secrets aren't stored in the log.`}</p>
        )}
      </Section>
      <Section title={t`Details`}>
        <Facts
          of={[
            [t`Entry`, <Reference key="id" value={entry.id} copyLabel={t`Copy entry number`} />],
            [t`Time`, <Moment key="at" at={entry.at} />],
            [t`Actor`, actorName(entry.actor)],
            [t`Event`, detailedTitleOf(entry)],
            [
              t`Record`,
              place ? (
                <Link key="record" to={place} className="sentence-link">
                  {labelOf(entry)}
                </Link>
              ) : (
                labelOf(entry)
              ),
            ],
            [t`IP address`, entry.address ?? t`Internal`],
            [t`Reason`, entry.reason ?? t`None`],
            [
              t`Request ID`,
              entry.requestId ? (
                <Reference
                  key="request"
                  value={entry.requestId}
                  shown={`${entry.requestId.slice(0, 13)}…`}
                  copyLabel={t`Copy request ID`}
                />
              ) : (
                t`None`
              ),
            ],
            ...(entry.reverts
              ? ([[t`Reverts`, <OtherEntry key="reverts" id={entry.reverts} />]] as const)
              : []),
            ...(entry.revertedBy
              ? ([[t`Reverted by`, <OtherEntry key="by" id={entry.revertedBy} />]] as const)
              : []),
          ].map(([label, value]) => [String(label), value])}
        />
      </Section>
      <Suspense>{asks && <RevertEntry entry={entry} onClose={() => setAsks(false)} />}</Suspense>
    </>
  );
};
