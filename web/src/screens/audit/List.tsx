import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Menu } from "@mantine/core";
import { auditColumns, auditFields, exportAudit } from "@purser/contract/workspace/audit";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { number } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { Column } from "#ui/list/columns/columns.ts";
import type { ListTexts } from "#ui/list/declaration.ts";
import { ListScreen } from "#ui/list/ListScreen.tsx";
import { CellLink } from "#ui/list/table/CellLink.tsx";
import { RowMenu } from "#ui/list/table/RowMenu.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Forbidden } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import type { Entry } from "#ui/record/Activity.tsx";
import { ActorAvatar, actorName } from "#ui/record/Actor.tsx";
import { detailedTitleOf, fieldLabels, labelOf, placeOf } from "./labels.ts";
import { linkOf, readEntry, readLog, verificationQuery } from "./queries.ts";

const EntryOverview = part(async () => (await import("./Overview.tsx")).EntryOverview);
const RevertEntry = part(async () => (await import("./RevertEntry.tsx")).RevertEntry);

const RevertNote = ({ reverts, revertedBy }: Entry) => {
  if (reverts) return <small>{t`Reverts entry ${reverts}`}</small>;
  return revertedBy && <small>{t`Reverted by entry ${revertedBy}`}</small>;
};

const columns: Column<Entry>[] = [
  {
    id: "what",
    label: t`Event`,
    width: 300,
    cell: (entry) => (
      <span className="named">
        <ActorAvatar actor={{ ...entry.actor }} />
        <span>
          <b>{actorName(entry.actor)}</b> <span className="dot" />{" "}
          <span>{detailedTitleOf(entry)}</span>
          <RevertNote {...entry} />
        </span>
      </span>
    ),
  },
  {
    id: "record",
    label: t`Record`,
    width: 190,
    card: "field",
    cell: (entry) => {
      const place = placeOf(entry);
      return place ? <CellLink to={place}>{labelOf(entry)}</CellLink> : labelOf(entry);
    },
  },
  {
    id: "at",
    label: t`Time`,
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
    label: t`Reason`,
    width: 220,
    priority: 2,
    cell: ({ reason }) => <span className="soft">{reason ?? "–"}</span>,
  },
  {
    id: "address",
    label: t`IP address`,
    width: 130,
    priority: 3,
    cell: ({ address }) => <span className="mono soft">{address ?? "–"}</span>,
  },
  {
    id: "requestId",
    label: t`Request ID`,
    width: 130,
    spare: true,
    cell: ({ requestId }) => <span className="mono softer">{requestId?.slice(0, 8) ?? "–"}</span>,
  },
  {
    id: "id",
    label: t`Entry`,
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
  const upTo = number(Number(verified?.upToEntry ?? 0));
  return (
    <>
      {broken ? (
        <span className="bad" role="alert">
          {t`Audit log verification failed. ${{ fault: messageText(broken) }}`}
        </span>
      ) : verified ? (
        <span>
          <Trans>
            Verified up to entry {upTo} <span className="dot" /> <Moment at={verified.at} />
          </Trans>
        </span>
      ) : (
        t`Integrity check runs nightly`
      )}
      <span className="dot" />
      {sealed ? (
        <span>
          <Trans>
            Last signed <Moment at={sealed.at} />
          </Trans>
        </span>
      ) : (
        t`Not signed yet`
      )}
    </>
  );
};

const views = [
  { label: t`All`, filter: null },
  { label: t`Deleted`, filter: "action:any:delete" },
  { label: t`By team members`, filter: "actorKind:any:user" },
  { label: t`Direct database changes`, filter: "actorKind:any:database" },
];

const copyIds = (entries: Entry[]) =>
  attempt(async () => {
    await navigator.clipboard.writeText(entries.map(({ id }) => id).join("\n"));
    toast(t`Entry numbers copied`);
  });

const texts: ListTexts = {
  search: t`Search the audit log`,
  searchHint: t`Reason, entry number, record ID or request ID`,
  export: t`Export audit log`,
  count: (total) => plural(total, { one: "# entry", other: "# entries" }),
  empty: {
    title: t`No entries yet`,
    help: t`Every change is listed here.`,
  },
};

const Log = () => {
  const [asks, setAsks] = useState<Entry | null>(null);
  return (
    <>
      <ListScreen
        name="audit"
        title={t`Audit log`}
        texts={texts}
        fields={auditFields}
        fieldLabels={fieldLabels}
        columns={columns}
        views={views}
        read={readLog}
        readOne={readEntry}
        linkOf={linkOf}
        labelOf={({ id }) => t`Entry ${id}`}
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
                  {t`Revert…`}
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
            {t`Copy entry numbers`}
          </Button>
        )}
        file={{ path: exportAudit.path, permission: exportAudit.permission, columns: auditColumns }}
        create={null}
        facts={<Verification />}
      />
      <Suspense>{asks && <RevertEntry entry={asks} onClose={() => setAsks(null)} />}</Suspense>
    </>
  );
};

export const AuditLog = () =>
  useMay("audit:read") ? <Log /> : <Forbidden permission="audit:read" />;
