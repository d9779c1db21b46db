import { plural, t } from "@lingui/core/macro";
import { Menu } from "@mantine/core";
import {
  type AttentionKind,
  assignAttention,
  type Snooze,
  snoozeAttention,
} from "@purser/contract/reports/attention";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMe } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import {
  type AttentionRecord,
  assigneesQuery,
  attentionKey,
  attentionRecordsQuery,
} from "./queries.ts";

const change = (work: () => Promise<unknown>, done: string) =>
  attempt(async () => {
    try {
      await work();
    } finally {
      // Also after a refusal, which means that the records have changed.
      await queryClient.invalidateQueries({ queryKey: attentionKey });
    }
    toast(done);
  });

/** One record, or all of a kind that are listed. */
export type Target = { kind: AttentionKind; records: readonly AttentionRecord[] };

const seenOf = ({ kind, records }: Target) => ({ kind, recordIds: records.map(({ id }) => id) });

const assign = (target: Target, assigneeId: string | null, done: string) =>
  change(() => call(assignAttention, { body: { ...seenOf(target), assigneeId } }), done);

const snooze = (target: Target, until: Snooze | null, done: string) =>
  change(() => call(snoozeAttention, { body: { ...seenOf(target), until } }), done);

const AssignItems = ({ target }: { target: Target }) => {
  const me = useMe();
  const { data } = useQuery(assigneesQuery(target.kind));
  const has = (id: string) => target.records.every(({ assignee }) => assignee?.id === id);
  const others = (data?.items ?? []).filter(({ id }) => id !== me.id && !has(id));
  const count = target.records.length;
  return (
    <>
      <Menu.Label>
        {count > 1 ? plural(count, { one: "Assign # to", other: "Assign all # to" }) : t`Assign to`}
      </Menu.Label>
      {!has(me.id) && (
        <Menu.Item
          leftSection={<Icon name="user-circle" />}
          onClick={() => assign(target, me.id, t`Assigned to you`)}
        >
          {t`Me`}
        </Menu.Item>
      )}
      {others.map(({ id, name }) => (
        <Menu.Item
          key={id}
          leftSection={<Icon name="user-circle" />}
          onClick={() => assign(target, id, t`Assigned to ${name}`)}
        >
          {name}
        </Menu.Item>
      ))}
      {target.records.some(({ assignee }) => assignee) && (
        <Menu.Item
          leftSection={<Icon name="x" />}
          onClick={() => assign(target, null, t`Unassigned`)}
        >
          {t`Unassign`}
        </Menu.Item>
      )}
    </>
  );
};

const snoozeLabels: readonly [Snooze, string][] = [
  ["tomorrow", t`Until tomorrow`],
  ["monday", t`Until Monday`],
  ["week", t`For a week`],
];

const SnoozeItems = ({ target }: { target: Target }) => (
  <>
    <Menu.Label>{t`Snooze for everyone`}</Menu.Label>
    {snoozeLabels.map(([until, label]) => (
      <Menu.Item
        key={until}
        leftSection={<Icon name="clock" />}
        onClick={() => snooze(target, until, t`Snoozed`)}
      >
        {label}
      </Menu.Item>
    ))}
    {target.records.every(({ snoozed }) => snoozed) && (
      <Menu.Item
        leftSection={<Icon name="eye" />}
        onClick={() => snooze(target, null, t`Shown again`)}
      >
        {t`Show again`}
      </Menu.Item>
    )}
  </>
);

export type MenuPart = "all" | "assign" | "snooze";

type Props = { kind: AttentionKind; record: AttentionRecord | null; isMine: boolean };

/** Those that are listed. The snoozed ones only if there are no others. */
const useTarget = ({ kind, record, isMine }: Props): Target | null => {
  const { data } = useQuery({ ...attentionRecordsQuery(kind, isMine), enabled: !record });
  if (record) return { kind, records: [record] };
  if (!data) return null;
  const open = data.items.filter(({ snoozed }) => !snoozed);
  return { kind, records: open.length > 0 ? open : data.items };
};

/** Who takes care of a record or of all of a kind, and until when they are hidden. */
export const AttentionMenu = ({ part, ...about }: Props & { part: MenuPart }) => {
  const target = useTarget(about);
  if (!target) return <Menu.Label>{t`Loading…`}</Menu.Label>;
  return (
    <>
      {part !== "snooze" && <AssignItems target={target} />}
      {part === "all" && <Menu.Divider />}
      {part !== "assign" && <SnoozeItems target={target} />}
    </>
  );
};
