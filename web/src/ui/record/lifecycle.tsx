import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { lifecycleStatusNames } from "#lib/labels/lifecycle.ts";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";
import type { Total, View } from "../list/declaration.ts";
import { attempt } from "../popups/toast.ts";
import type { StatusWord } from "../Status.tsx";

/** Records start as drafts, become active, and can then be archived and restored. */
export type LifeStatus = "draft" | "active" | "archived";

export const lifeLabels: Record<LifeStatus, StatusWord> = {
  draft: { word: lifecycleStatusNames.draft, icon: "circle-dashed", tone: "mute" },
  active: { word: lifecycleStatusNames.active, icon: "circle-check", tone: "ok", quiet: true },
  archived: { word: lifecycleStatusNames.archived, icon: "archive", tone: "mute", quiet: true },
};

export const lifeOptions: Record<LifeStatus, string> = lifecycleStatusNames;

/** The built-in views of a list: all, and one per status with its count. */
export const lifeViews = (counts: Record<LifeStatus, Total> | undefined): View[] => {
  const parts = counts && Object.values(counts);
  const all = parts && {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    kind: parts.find(({ kind }) => kind !== "exact")?.kind ?? "exact",
  };
  return [
    { label: t`All`, filter: null, total: all },
    { label: t`Active`, filter: "status:any:active", total: counts?.active },
    { label: t`Draft`, filter: "status:any:draft", total: counts?.draft },
    { label: t`Archived`, filter: "status:any:archived", total: counts?.archived },
  ];
};

/** An action that asks for confirmation first. */
export type Asking<R> = {
  about: "activate" | "archive" | "delete";
  records: R[];
  /** Clears the selection it was for. */
  clear?: () => void;
};

/** The next step per status. Restoring removes nothing, so it needs no confirmation. */
export const lifeSteps = {
  draft: { action: "activate", label: t`Activate`, icon: "player-play" },
  active: { action: "archive", label: t`Archive`, icon: "archive" },
  archived: { action: "restore", label: t`Restore`, icon: "archive-off" },
} as const satisfies Record<LifeStatus, { action: string; label: string; icon: IconName }>;

type StepProps = {
  status: LifeStatus;
  onAsk: (about: "activate" | "archive") => void;
  onRestore: () => Promise<unknown>;
};

export const runLifeStep = ({ status, onAsk, onRestore }: StepProps) => {
  const { action } = lifeSteps[status];
  if (action === "restore") void attempt(onRestore);
  else onAsk(action);
};

/** The button for the next lifecycle step, in the page header. */
export const LifeButton = (props: StepProps) => {
  const { label, icon } = lifeSteps[props.status];
  return (
    <Button
      {...(props.status !== "archived" && { variant: "default" })}
      leftSection={<Icon name={icon} />}
      onClick={() => runLifeStep(props)}
    >
      {label}
    </Button>
  );
};

/** The record if there is only one. */
export const onlyOf = <R,>(records: readonly R[]) => {
  const [only] = records;
  return records.length === 1 && only !== undefined ? only : null;
};
