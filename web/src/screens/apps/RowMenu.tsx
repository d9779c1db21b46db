import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMay } from "#lib/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { attempt, toast } from "#ui/toast.ts";
import { restore } from "./acts.tsx";
import { type App, linkOf } from "./queries.ts";

/** What a menu or the bulk bar asks about before it is done. */
export type Asking =
  | { about: "archive" | "activate"; apps: App[]; clear?: () => void }
  | { about: "delete"; app: App };

const copy = (text: string, what: string) =>
  attempt(async () => {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  });

type MenuProps = { app: App; onPreview: () => void; onAsk: (asking: Asking) => void };

const StateItems = ({ app, onAsk }: Omit<MenuProps, "onPreview">) => (
  <>
    <Menu.Divider />
    {app.status === "draft" && (
      <Menu.Item
        leftSection={<Icon name="player-play" />}
        onClick={() => onAsk({ about: "activate", apps: [app] })}
      >
        Activate
      </Menu.Item>
    )}
    {app.status === "active" && (
      <Menu.Item
        leftSection={<Icon name="archive" />}
        onClick={() => onAsk({ about: "archive", apps: [app] })}
      >
        Archive
      </Menu.Item>
    )}
    {app.status === "archived" && (
      <Menu.Item
        leftSection={<Icon name="archive-off" />}
        onClick={() => attempt(() => restore(app))}
      >
        Restore
      </Menu.Item>
    )}
    {app.status === "draft" && !app.codeFrozen && (
      <Menu.Item
        data-tone="bad"
        leftSection={<Icon name="trash" />}
        onClick={() => onAsk({ about: "delete", app })}
      >
        Delete
      </Menu.Item>
    )}
  </>
);

/** What can be done with one app of the list. */
export const RowMenu = ({ app, onPreview, onAsk }: MenuProps) => {
  const mayWrite = useMay("apps:write");
  const navigate = useNavigate();
  const { id } = app;
  return (
    <>
      <Menu.Item
        leftSection={<Icon name="arrow-right" />}
        onClick={() => navigate({ to: "/apps/view/$id", params: { id } })}
      >
        Open
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="external-link" />}
        component="a"
        href={linkOf(app)}
        target="_blank"
      >
        Open in new tab
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="eye" />} onClick={onPreview}>
        Preview
      </Menu.Item>
      {mayWrite && app.status !== "archived" && (
        <Menu.Item
          leftSection={<Icon name="pencil" />}
          onClick={() => navigate({ to: "/apps/edit/$id", params: { id } })}
        >
          Edit
        </Menu.Item>
      )}
      {mayWrite && (
        <Menu.Item
          leftSection={<Icon name="copy" />}
          onClick={() => navigate({ to: "/apps/create", search: { from: id } })}
        >
          Duplicate
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Icon name="copy" />} onClick={() => copy(id, "Id")}>
        Copy id
      </Menu.Item>
      <Menu.Item
        leftSection={<Icon name="link" />}
        onClick={() => copy(`${location.origin}${linkOf(app)}`, "Link")}
      >
        Copy link
      </Menu.Item>
      {mayWrite && <StateItems app={app} onAsk={onAsk} />}
    </>
  );
};
