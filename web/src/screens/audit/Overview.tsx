import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { capitalize } from "#lib/labels.ts";
import { formatExact } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Facts, Section } from "#ui/page/Page.tsx";
import { type ColumnLabels, changesOf, type Entry } from "#ui/record/Activity.tsx";
import { actorName } from "#ui/record/Actor.tsx";
import { formatAuditValue } from "#ui/record/auditValue.ts";
import { Diff } from "#ui/record/Diff.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import { deedOf, fieldWordsOf, labelOf, placeOf } from "./labels.ts";

const SetBack = part(async () => (await import("#ui/dialogs/Revert.tsx")).Revert);

const moment = /^\d{4}-\d\d-\d\dT\d\d:/;

const wordsOf = ({ changes }: Entry, zone: string): ColumnLabels => {
  const show = (value: unknown) =>
    typeof value === "string" && moment.test(value)
      ? formatExact(zone, new Date(value))
      : formatAuditValue(value);
  return Object.fromEntries(
    changes.map(({ field }) => [field, { label: capitalize(fieldWordsOf(field)), show }]),
  );
};

const OtherEntry = ({ id }: { id: string }) => (
  <Link to="/audit" search={{ preview: id }} className="sentence-link">
    Entry {id}
  </Link>
);

/** An audit entry with its changes, actor, origin and reason, and an action to revert it. */
export const EntryOverview = ({ entry }: { entry: Entry }) => {
  const [asks, setAsks] = useState(false);
  const place = placeOf(entry);
  const changes = changesOf(entry, wordsOf(entry, useTimeZone()));
  return (
    <>
      <Section
        title="What changed"
        acts={
          entry.canRevert && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="arrow-back-up" />}
              onClick={() => setAsks(true)}
            >
              Set back…
            </Button>
          )
        }
      >
        {changes.length > 0 ? (
          <Diff changes={changes} />
        ) : (
          <p className="softer">Nothing that is kept in the log: a secret was changed.</p>
        )}
      </Section>
      <Section title="Facts">
        <Facts
          of={[
            ["Entry", <Reference key="id" value={entry.id} what="the entry's number" />],
            ["When", <Moment key="at" at={entry.at} />],
            ["Who", actorName(entry.actor)],
            ["Did", capitalize(deedOf(entry))],
            [
              "Record",
              place ? (
                <Link key="record" to={place} className="sentence-link">
                  {labelOf(entry)}
                </Link>
              ) : (
                labelOf(entry)
              ),
            ],
            ["From", entry.address ?? "nowhere outside"],
            ["Reason", entry.reason ?? "none given"],
            [
              "Request",
              entry.requestId ? (
                <Reference
                  key="request"
                  value={entry.requestId}
                  shown={`${entry.requestId.slice(0, 13)}…`}
                  what="the request"
                />
              ) : (
                "none"
              ),
            ],
            ...(entry.reverts
              ? ([["Sets back", <OtherEntry key="reverts" id={entry.reverts} />]] as const)
              : []),
            ...(entry.revertedBy
              ? ([["Set back by", <OtherEntry key="by" id={entry.revertedBy} />]] as const)
              : []),
          ].map(([label, value]) => [String(label), value])}
        />
      </Section>
      <Suspense>
        {asks && (
          <SetBack
            entryId={entry.id}
            names={(field, value) => ({
              label: capitalize(fieldWordsOf(field)),
              value: formatAuditValue(value),
            })}
            onClose={() => setAsks(false)}
          />
        )}
      </Suspense>
    </>
  );
};
