import { redirect } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { askPayload } from "#lib/api/payload.ts";
import { client } from "#lib/api/queryClient.ts";
import { loadChunk } from "#lib/page/chunks.ts";
import { sessionQuery } from "#lib/session/session.ts";

let workspace: ComponentType | null = null;

/** What surrounds a guarded page; the login does without it. */
export const loadedWorkspace = () => workspace;

const loadOffice = async () => {
  workspace ??= (await loadChunk(() => import("./Workspace.tsx"))).Workspace;
};

/** An address that no page has is told within the workspace to whoever is in it, and to all others without. */
export const openOfficeIfSignedIn = async () => {
  if (await client.ensureQueryData(sessionQuery).catch(() => null)) await loadOffice();
};

type Opening = {
  location: { href: string; pathname: string; searchStr: string };
  preload: boolean;
};

/** The page whose payload was asked for last: another query of the same page asks for none. */
let opened = "";

/** The guard: nobody sees a page, or loads its code or data, without a session. */
export const auth = async ({ location, preload }: Opening) => {
  const me = await client.ensureQueryData(sessionQuery);
  if (!me)
    throw redirect({
      to: "/login",
      search: location.href === "/" ? {} : { redirect: location.href },
      replace: true,
    });
  const { pathname, searchStr } = location;
  // Whose days without a second factor are over is led to where one is set up.
  if (me.secondFactorDuty?.isDue && pathname !== "/account")
    throw redirect({ to: "/account", replace: true });
  if (preload || opened !== pathname) askPayload(pathname, searchStr);
  if (!preload) opened = pathname;
  await loadOffice();
};
