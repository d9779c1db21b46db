import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { Wire } from "@purser/contract/http/endpoint";
import { listNotifications, readNotifications } from "@purser/contract/workspace/notifications";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { messageText } from "#lib/serverMessages.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { attempt } from "#ui/popups/toast.ts";

type Notification = Wire<typeof listNotifications>["reply"]["items"][number];

const notificationsQuery = queryOptions({
  queryKey: ["notifications", "latest"],
  queryFn: () => call(listNotifications),
});

const icons: Record<Notification["kind"], IconName> = {
  mention: "at",
  approval: "gavel",
  file: "download",
  job: "list-check",
};

const markRead = (body: { until?: string; only?: string }) =>
  attempt(async () => {
    await call(readNotifications, { body });
    await queryClient.invalidateQueries({ queryKey: ["notifications"] });
  });

/** The page of a notification, its query and its hash. */
const targetOf = (path: string) => {
  const { pathname, searchParams, hash } = new URL(path, "https://purser.invalid");
  return {
    to: pathname as string,
    search: Object.fromEntries(searchParams) as never,
    ...(hash && { hash: hash.slice(1) }),
  };
};

type OneProps = { notification: Notification; onDone: () => void };

const OneNotification = ({ notification, onDone }: OneProps) => {
  const { id, kind, message, path, createdAt, readAt } = notification;
  const open = () => {
    onDone();
    if (readAt === null) void markRead({ only: id });
  };
  return (
    <li {...(readAt === null && { "data-unread": true })}>
      <Link {...targetOf(path)} onClick={open}>
        <Icon name={icons[kind]} />
        <span>
          {messageText(message)}
          {readAt === null && <span className="unseen">{t`Unread`}</span>}
          <small>
            <Moment at={createdAt} />
          </small>
        </span>
      </Link>
    </li>
  );
};

/** The latest notifications of the user. */
export const Notifications = ({ onDone }: { onDone: () => void }) => {
  const { data, error, refetch } = useQuery(notificationsQuery);
  if (error && !data)
    return (
      <Failed title={t`Couldn't load notifications`} error={error} onRetry={() => refetch()} />
    );
  const newest = data?.items[0]?.id;
  return (
    <div className="notifications">
      <div className="notifications-head">
        <b>{t`Notifications`}</b>
        {newest && (data?.unread ?? 0) > 0 && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => void markRead({ until: newest })}
          >
            {t`Mark all as read`}
          </Button>
        )}
      </div>
      {data?.items.length === 0 && (
        <p className="soft">{t`No notifications yet. Mentions, approvals and finished files appear here.`}</p>
      )}
      <ul>
        {data?.items.map((notification) => (
          <OneNotification key={notification.id} notification={notification} onDone={onDone} />
        ))}
      </ul>
    </div>
  );
};
