import { t } from "@lingui/core/macro";
import { ActionIcon } from "@mantine/core";
import type { AttentionKind } from "@purser/contract/reports/attention";
import { addDays } from "@purser/contract/reports/days";
import { Link } from "@tanstack/react-router";
import { money, series } from "#lib/intl.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatDate } from "#lib/time/dates.ts";
import { formatShortWeekday } from "#lib/time/days.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Icon } from "#ui/Icon.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { AttentionMenu, type MenuPart } from "./AttentionMenu.tsx";
import { attentionTexts } from "./attentionLabels.ts";
import type { AttentionRecord } from "./queries.ts";

const dayIn = (zone: string, at: Date) => localDateTime(zone, at).slice(0, 10);

/** Today and tomorrow are in the foreground, and what is overdue. */
export const Due = ({ at }: { at: string }) => {
  const zone = useTimeZone();
  const when = new Date(at);
  const isSoon = dayIn(zone, when) <= addDays(dayIn(zone, currentTime()), 1);
  return (
    <time dateTime={at} className="attention-due" {...(isSoon && { "data-tone": "warn" })}>
      {isSoon && <Icon name="clock" size={13} />}
      {isSoon ? formatShortWeekday(zone, when) : formatDate(zone, when)}
    </time>
  );
};

const useRecordDetails = (record: AttentionRecord) => {
  const zone = useTimeZone();
  const me = useMe();
  const { amount, customer, since, assignee, snoozed } = record;
  const name = assignee?.name ?? "";
  const assigned = assignee?.id === me.id ? t`Assigned to you` : t`Assigned to ${name}`;
  return [
    series(
      [amount && money(amount.amount, amount.currency), customer].filter((one) => one !== null),
    ) ||
      (since && t`Since ${formatDate(zone, new Date(since))}`),
    assignee && assigned,
    snoozed && t`Snoozed until ${formatDate(zone, new Date(snoozed.until))} by ${snoozed.by}`,
  ].filter((one) => one);
};

/** Which row has an open menu, by the key of the row. */
export type Menus = {
  openedOf: (key: string) => MenuPart | null;
  onOpenOf: (key: string) => (part: MenuPart | null) => void;
};

type About = { kind: AttentionKind; record: AttentionRecord | null; isMine: boolean };
type ActionsProps = About & { rowKey: string; title: string; menus: Menus };

export const Actions = ({ rowKey, title, menus, ...about }: ActionsProps) => {
  const label = t`Assign or snooze: ${title}`;
  const opened = menus.openedOf(rowKey);
  const onOpen = menus.onOpenOf(rowKey);
  return (
    <Popup
      kind="menu"
      label={label}
      opened={opened !== null}
      onClose={() => onOpen(null)}
      place="bottom-end"
      width={220}
      trigger={
        <ActionIcon
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={opened !== null}
          data-tip={t`Assign or snooze`}
          onClick={() => onOpen(opened ? null : "all")}
        >
          <Icon name="dots" />
        </ActionIcon>
      }
    >
      {() => <AttentionMenu {...about} part={opened ?? "all"} />}
    </Popup>
  );
};

export type RowProps = { kind: AttentionKind; isMine: boolean; menus: Menus };

/** One record with its due date and the way to solve it. */
export const RecordRow = ({
  kind,
  record,
  isMine,
  menus,
}: RowProps & { record: AttentionRecord }) => {
  const mayWrite = useMay("comments:write");
  const details = useRecordDetails(record);
  const { icon, tone, titleOfOne, verb, place } = attentionTexts[kind];
  const { to, search = {}, hash } = place(record.pageId);
  const rowKey = `${kind} ${record.id}`;
  const title = titleOfOne(record.name);
  return (
    <li data-attention={rowKey}>
      <span className="step-sign" data-tone={tone}>
        <Icon name={icon} />
      </span>
      <div>
        {title}
        {details.map((detail) => (
          <small key={String(detail)}>{detail}</small>
        ))}
      </div>
      {record.dueAt && <Due at={record.dueAt} />}
      <Link to={to as "/"} search={search as never} {...(hash && { hash })} className="step-action">
        {verb}
      </Link>
      {mayWrite && (
        <Actions
          kind={kind}
          record={record}
          isMine={isMine}
          rowKey={rowKey}
          title={title}
          menus={menus}
        />
      )}
    </li>
  );
};
