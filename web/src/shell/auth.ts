import { redirect } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { requestPayload } from "#lib/api/payload.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { rememberLanguage } from "#lib/messages.ts";
import { loadChunk } from "#lib/page/chunks.ts";
import { type Me, sessionQuery } from "#lib/session/session.ts";

let workspace: ComponentType | null = null;

/** The frame around guarded pages, once loaded. The login page doesn't use it. */
export const loadedWorkspace = () => workspace;

const loadWorkspace = async () => {
  workspace ??= (await loadChunk(() => import("./Workspace.tsx"))).Workspace;
};

/** Signed-in users see the not-found page inside the workspace. */
export const loadWorkspaceIfSignedIn = async () => {
  if (await queryClient.ensureQueryData(sessionQuery).catch(() => null)) await loadWorkspace();
};

/** Another language than the browser remembers: the page starts again with its messages. */
const applyLanguage = async ({ preferences }: Me) => {
  if (!rememberLanguage(preferences.language)) return;
  location.reload();
  await new Promise(() => undefined);
};

type Opening = {
  location: { href: string; pathname: string; searchStr: string };
  preload: boolean;
};

/** The page whose payload was requested last. Another query of the same page doesn't request it. */
let opened = "";

/** The guard: without a session no page is shown and neither its code nor its data is requested. */
export const auth = async ({ location, preload }: Opening) => {
  const me = await queryClient.ensureQueryData(sessionQuery);
  if (!me)
    throw redirect({
      to: "/login",
      search: location.href === "/" ? {} : { redirect: location.href },
      replace: true,
    });
  if (!preload) await applyLanguage(me);
  const { pathname, searchStr } = location;
  // Users past the deadline for two-factor authentication must set it up first.
  if (me.twoFactorRequirement?.isDue && pathname !== "/account")
    throw redirect({ to: "/account", replace: true });
  if (preload || opened !== pathname) requestPayload(pathname, searchStr, me.permissions);
  if (!preload) opened = pathname;
  await loadWorkspace();
};
