import { t } from "@lingui/core/macro";
import { Button, Menu } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { part } from "#ui/page/lazyPart.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { RecordActions } from "#ui/record/Record.tsx";
import { restore } from "../actions.ts";
import { isSellable, matrixOf, type Package, publishOf } from "../queries.ts";

const dialogs = () => import("../dialogs.tsx");
const ArchiveDialog = part(async () => (await dialogs()).ArchiveDialog);
const TakeOffSaleDialog = part(async () => (await dialogs()).TakeOffSaleDialog);
const DiscardDialog = part(
  async () => (await import("../versions/DiscardDialog.tsx")).DiscardDialog,
);
const DeleteDialog = part(async () => (await dialogs()).DeleteDialog);
const StartDraftDialog = part(
  async () => (await import("../versions/StartDraftDialog.tsx")).StartDraftDialog,
);
const GrantAccessDialog = part(
  async () => (await import("../subscribers/accessDialogs.tsx")).GrantAccessDialog,
);

export type Asked = "archive" | "delete" | "give" | "stop" | "start" | "discard" | null;

type Item = { asks: Exclude<Asked, null>; label: string; icon: IconName; isOffered: boolean };

/** The actions available in the package's current state. */
const itemsOf = (stored: Package, mayGrant: boolean): Item[] => {
  const { status, onSale, draft, codeFrozen } = stored;
  return [
    {
      asks: "give",
      label: t`Grant access…`,
      icon: "gift",
      isOffered: mayGrant && isSellable(stored),
    },
    {
      asks: "start",
      label: t`Create draft from version…`,
      icon: "plus",
      isOffered: status !== "archived" && draft === null,
    },
    {
      asks: "discard",
      label: t`Discard draft…`,
      icon: "trash",
      isOffered: status !== "archived" && draft !== null && codeFrozen,
    },
    { asks: "stop", label: t`Take off sale…`, icon: "tag-off", isOffered: onSale !== null },
    { asks: "archive", label: t`Archive…`, icon: "archive", isOffered: status === "active" },
  ];
};

type Props = { stored: Package; onAsk: (asked: Asked) => void };

const AppsLink = ({ stored, isLead }: { stored: Package; isLead: boolean }) => (
  <Button
    component={Link}
    to={matrixOf(stored)}
    {...(!isLead && { variant: "default" })}
    leftSection={<Icon name="adjustments" />}
  >
    {t`Apps and features`}
  </Button>
);

/** The actions in the header of a package's page. */
export const ViewActions = ({ stored, onAsk }: Props) => {
  const mayWrite = useMay("packages:write");
  const mayGrant = useMay("users:write");
  const { id, status, codeFrozen } = stored;
  const isArchived = status === "archived";
  if (!mayWrite)
    return (
      <>
        {mayGrant && isSellable(stored) && (
          <Button
            variant="default"
            leftSection={<Icon name="gift" />}
            onClick={() => onAsk("give")}
          >
            {t`Grant access`}
          </Button>
        )}
        <AppsLink stored={stored} isLead />
      </>
    );
  return (
    <RecordActions
      step={
        isArchived && (
          <Button
            leftSection={<Icon name="archive-off" />}
            onClick={() => attempt(() => restore(stored))}
          >
            {t`Restore`}
          </Button>
        )
      }
      edit={isArchived ? null : { to: "/package/edit/$id", params: { id } }}
      lead={<AppsLink stored={stored} isLead={!isArchived} />}
      duplicate={{ to: "/package/create", search: { from: id } }}
      onDelete={codeFrozen ? null : () => onAsk("delete")}
      items={[
        ...(stored.draft && !isArchived
          ? [
              <Menu.Item
                key="publish"
                leftSection={<Icon name="player-play" />}
                component={Link}
                to={publishOf(stored)}
              >
                {t`Review and publish`}
              </Menu.Item>,
            ]
          : []),
        ...itemsOf(stored, mayGrant)
          .filter(({ isOffered }) => isOffered)
          .map(({ asks, label, icon }) => (
            <Menu.Item key={asks} leftSection={<Icon name={icon} />} onClick={() => onAsk(asks)}>
              {label}
            </Menu.Item>
          )),
      ]}
    />
  );
};

type AskingProps = { stored: Package; asked: Asked; onClose: () => void };

export const Asking = ({ stored, asked, onClose }: AskingProps) => {
  const navigate = useNavigate();
  const one = { stored, onClose };
  return (
    <Suspense>
      {asked === "archive" && <ArchiveDialog packages={[stored]} onClose={onClose} />}
      {asked === "stop" && <TakeOffSaleDialog {...one} />}
      {asked === "discard" && <DiscardDialog pack={stored} onClose={onClose} />}
      {asked === "start" && <StartDraftDialog {...one} />}
      {asked === "give" && <GrantAccessDialog {...one} />}
      {asked === "delete" && (
        <DeleteDialog {...one} onDeleted={() => navigate({ to: "/package", replace: true })} />
      )}
    </Suspense>
  );
};
