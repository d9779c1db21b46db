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

/** Actions for the selected promotions. Publishing is only possible one at a time. */
export const Bulk = ({ promotions, clear, mayWrite, onAsk }: Props) => {
  if (!mayWrite) return <span>You may look at these, not change them.</span>;
  const doAll = (act: "pause" | "resume" | "restore", targets: Promotion[]) => () =>
    void attempt(async () => {
      await applyToMany(act, targets);
      clear();
    });
  const pausable = promotions.filter(canPause);
  const paused = promotions.filter(({ status }) => status === "paused");
  const extensible = promotions.filter(canExtend);
  const archivable = promotions.filter(canArchive);
  const archived = promotions.filter(({ status }) => status === "archived");
  const actions: { label: string; icon: IconName; targets: Promotion[]; run: () => void }[] = [
    { label: "Pause", icon: "player-pause", targets: pausable, run: doAll("pause", pausable) },
    { label: "Resume", icon: "player-play", targets: paused, run: doAll("resume", paused) },
    {
      label: "Extend",
      icon: "calendar-clock",
      targets: extensible,
      run: () => onAsk({ about: "extend", promotions: extensible, clear }),
    },
    {
      label: "Archive",
      icon: "archive",
      targets: archivable,
      run: () => onAsk({ about: "archive", promotions: archivable, clear }),
    },
    { label: "Restore", icon: "archive-off", targets: archived, run: doAll("restore", archived) },
  ];
  const open = actions.filter(({ targets }) => targets.length > 0);
  if (open.length === 0) return <span>Drafts are published one by one.</span>;
  return open.map(({ label, icon, targets, run }) => (
    <button key={label} type="button" onClick={run}>
      <Icon name={icon} />
      {label} {targets.length}
    </button>
  ));
};
