import { t } from "@lingui/core/macro";
import { number } from "#lib/intl.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { attempt } from "#ui/popups/toast.ts";
import { applyToMany, canArchive, canExtend, canPause } from "./actions.ts";
import type { Promotion } from "./queries.ts";
import type { Asking } from "./RowMenu.tsx";

type Props = {
  promotions: Promotion[];
  clear: () => void;
  mayWrite: boolean;
  onAsk: (asking: Asking) => void;
};

type Action = {
  labelFor: (count: string) => string;
  icon: IconName;
  targets: Promotion[];
  run: () => void;
};

/** Actions for the selected promotions. Publishing is only possible one at a time. */
export const Bulk = ({ promotions, clear, mayWrite, onAsk }: Props) => {
  if (!mayWrite) return <span>{t`You don't have permission to edit promotions.`}</span>;
  const doAll = (action: "pause" | "resume" | "restore", targets: Promotion[]) => () =>
    void attempt(async () => {
      await applyToMany(action, targets);
      clear();
    });
  const pausable = promotions.filter(canPause);
  const paused = promotions.filter(({ status }) => status === "paused");
  const extensible = promotions.filter(canExtend);
  const archivable = promotions.filter(canArchive);
  const archived = promotions.filter(({ status }) => status === "archived");
  const actions: Action[] = [
    {
      labelFor: (count) => t`Pause ${count}`,
      icon: "player-pause",
      targets: pausable,
      run: doAll("pause", pausable),
    },
    {
      labelFor: (count) => t`Resume ${count}`,
      icon: "player-play",
      targets: paused,
      run: doAll("resume", paused),
    },
    {
      labelFor: (count) => t`Extend ${count}`,
      icon: "calendar-clock",
      targets: extensible,
      run: () => onAsk({ about: "extend", promotions: extensible, clear }),
    },
    {
      labelFor: (count) => t`Archive ${count}`,
      icon: "archive",
      targets: archivable,
      run: () => onAsk({ about: "archive", promotions: archivable, clear }),
    },
    {
      labelFor: (count) => t`Restore ${count}`,
      icon: "archive-off",
      targets: archived,
      run: doAll("restore", archived),
    },
  ];
  const open = actions.filter(({ targets }) => targets.length > 0);
  if (open.length === 0) return <span>{t`Publish drafts one at a time.`}</span>;
  return open.map(({ labelFor, icon, targets, run }) => (
    <button key={icon} type="button" onClick={run}>
      <Icon name={icon} />
      {labelFor(number(targets.length))}
    </button>
  ));
};
