import { Button, Menu } from "@mantine/core";
import { auditColumns, auditFields, exportAudit } from "@purser/contract/workspace/audit";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { number } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { Column } from "#ui/list/columns/columns.ts";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { CellLink } from "#ui/list/table/CellLink.tsx";
import { RowMenu } from "#ui/list/table/RowMenu.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Forbidden } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import type { Entry } from "#ui/record/Activity.tsx";
import { ActorAvatar, actorName } from "#ui/record/Actor.tsx";
import { deedOf, fieldWords, labelOf, placeOf } from "./labels.ts";
import { linkOf, readEntry, readLog, verificationQuery } from "./queries.ts";

const EntryOverview = part(async () => (await import("./Overview.tsx")).EntryOverview);
const SetBack = part(async () => (await import("#ui/dialogs/Revert.tsx")).Revert);

const columns: Column<Entry>[] = [
  {
    id: "what",
    label: "What happened",
    width: 300,
    cell: (entry) => (
      <span className="named">
        <ActorAvatar actor={{ ...entry.actor }} />
        <span>
          <b>{actorName(entry.actor)}</b> <span>{deedOf(entry)}</span>
          {(entry.reverts || entry.revertedBy) && (
            <small>{entry.reverts ? `Sets back entry ${entry.reverts}` : "Was set back"}</small>
          )}
        </span>
      </span>
    ),
  },
  {
    id: "record",
    label: "Record",
    width: 190,
    card: "field",
    cell: (entry) => {
      const place = placeOf(entry);
      return place ? <CellLink to={place}>{labelOf(entry)}</CellLink> : labelOf(entry);
    },
  },
  {
    id: "at",
    label: "When",
    sort: "at",
    width: 130,
    card: "field",
    cell: ({ at }) => (
      <span className="soft">
        <Moment at={at} />
      </span>
    ),
  },
  {
    id: "reason",
    label: "Reason",
    width: 220,
    priority: 2,
    cell: ({ reason }) => <span className="soft">{reason ?? "–"}</span>,
  },
  {
    id: "address",
    label: "From",
    width: 130,
    priority: 3,
    cell: ({ address }) => <span className="mono soft">{address ?? "–"}</span>,
  },
  {
    id: "requestId",
    label: "Request",
    width: 130,
    spare: true,
    cell: ({ requestId }) => <span className="mono softer">{requestId?.slice(0, 8) ?? "–"}</span>,
  },
  {
    id: "id",
    label: "Entry",
    width: 90,
    align: "end",
    spare: true,
    cell: ({ id }) => <span className="mono soft">{id}</span>,
  },
];

/** The result and time of the last audit log verification. */
const Verification = () => {
  const { data } = useQuery(verificationQuery);
  if (!data) return null;
  const { sealed, verified } = data;
  const broken = verified?.broken;
  return (
    <>
      {broken ? (
        <span className="bad" role="alert">
          The log does not add up: {broken.what} ({broken.number}). Ask whoever runs the database.
        </span>
      ) : verified ? (
        <span>
          Verified up to entry {number(Number(verified.upToEntry))}, <Moment at={verified.at} />
        </span>
      ) : (
        "Not verified yet: that is done every night"
      )}
      <span className="dot" />
      {sealed ? (
        <span>
          sealed <Moment at={sealed.at} />
        </span>
      ) : (
        "nothing is sealed yet"
      )}
    </>
  );
};

const views = [
  { label: "All", filter: null },
  { label: "Deleted", filter: "action:any:delete" },
  { label: "By people", filter: "actorKind:any:user" },
  { label: "At the database", filter: "actorKind:any:database" },
];

const copyIds = (entries: Entry[]) =>
  attempt(async () => {
    await navigator.clipboard.writeText(entries.map(({ id }) => id).join("\n"));
    toast("The entries' numbers are copied.");
  });

const Log = () => {
  const [asks, setAsks] = useState<Entry | null>(null);
  return (
    <>
      <ListScreen
        name="audit"
        title="Audit log"
        words={{ one: "entry", many: "entries", search: "Reason, entry, record or request" }}
        fields={auditFields}
        fieldWords={fieldWords}
        columns={columns}
        views={views}
        read={readLog}
        readOne={readEntry}
        linkOf={linkOf}
        labelOf={(entry) => `Entry ${entry.id}`}
        menuOf={(entry, onPreview) => (
          <RowMenu
            id={entry.id}
            href={linkOf(entry)}
            onPreview={onPreview}
            edit={null}
            duplicate={null}
          >
            {entry.canRevert && (
              <>
                <Menu.Divider />
                <Menu.Item
                  leftSection={<Icon name="arrow-back-up" />}
                  onClick={() => setAsks(entry)}
                >
                  Set back…
                </Menu.Item>
              </>
            )}
          </RowMenu>
        )}
        previewOf={(entry) => (
          <Suspense>
            <EntryOverview entry={entry} />
          </Suspense>
        )}
        bulkOf={(entries) => (
          <Button variant="default" size="xs" onClick={() => copyIds(entries)}>
            Copy numbers
          </Button>
        )}
        file={{ path: exportAudit.path, columns: auditColumns }}
        create={null}
        facts={<Verification />}
        empty="Every change by anybody is told here, from the first one on."
      />
      <Suspense>{asks && <SetBack entryId={asks.id} onClose={() => setAsks(null)} />}</Suspense>
    </>
  );
};

export const AuditLog = () =>
  useMay("audit:read") ? <Log /> : <Forbidden what="the audit log" permission="Audit log: read" />;
