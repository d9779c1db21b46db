import { activateApp, actOnApps, archiveApp, restoreApp } from "@purser/contract/apps";
import { call } from "#lib/call.ts";
import { count } from "#lib/words.ts";
import { toast } from "#ui/toast.ts";
import { type App, appSaved, appsChanged } from "./queries.ts";

const params = ({ id, version }: App) => ({ params: { id }, version, body: {} });

export const restore = async (app: App) => {
  appSaved(await call(restoreApp, params(app)));
  toast(`${app.name} is active again.`);
};

export const archive = async (app: App) => {
  const archived = await call(archiveApp, params(app));
  appSaved(archived);
  toast(`${app.name} is archived.`, { label: "Undo", run: () => restore(archived) });
};

export const activate = async (app: App) => {
  appSaved(await call(activateApp, params(app)));
  toast(`${app.name} is active.`);
};

type Act = "activate" | "archive" | "restore";

const past = { activate: "activated", archive: "archived", restore: "restored" } as const;

/** The same to many. Those that refuse stay as they are, and are named. */
export const actOnMany = async (act: Act, apps: Pick<App, "id" | "version">[]) => {
  const { done, refused } = await call(actOnApps, {
    body: { act, apps: apps.map(({ id, version }) => ({ id, version })) },
  });
  void appsChanged();
  const [first] = refused;
  const told = first
    ? ` ${count(refused.length, "app")} stayed: ${first.name || "one"}: ${first.detail}`
    : "";
  const undo =
    act === "archive" && done.length > 0
      ? { label: "Undo", run: () => actOnMany("restore", done) }
      : undefined;
  toast(`${count(done.length, "app")} ${past[act]}.${told}`, undo);
};
