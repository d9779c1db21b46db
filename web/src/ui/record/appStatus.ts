import { t } from "@lingui/core/macro";
import type { AppStatus } from "@purser/contract/apps/fields";
import type { StatusWord } from "../Status.tsx";
import { lifeLabels } from "./lifecycle.tsx";

const suspended = {
  active: { word: t`Suspended`, icon: "player-pause", tone: "bad" },
  archived: { word: t`Archived, suspended`, icon: "player-pause", tone: "bad" },
} as const satisfies Record<string, StatusWord>;

type Known = { status: AppStatus; suspendedAt: string | null };

/** The status of an app. An archived app can be suspended, too. */
export const appStatus = ({ status, suspendedAt }: Known): StatusWord =>
  suspendedAt !== null && status !== "draft" ? suspended[status] : lifeLabels[status];
