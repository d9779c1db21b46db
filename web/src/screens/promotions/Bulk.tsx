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
  const doAll = (act: "pause" | "resume" | "restore", meant: Promotion[]) => () =>
    void attempt(async () => {
      await applyToMany(act, meant);
      clear();
    });
  const pausable = promotions.filter(canPause);
  const paused = promotions.filter(({ status }) => status === "paused");
  const extensible = promotions.filter(canExtend);
  const archivable = promotions.filter(canArchive);
  const archived = promotions.filter(({ status }) => status === "archived");
  const acts: { label: string; icon: IconName; meant: Promotion[]; run: () => void }[] = [
    { label: "Pause", icon: "player-pause", meant: pausable, run: doAll("pause", pausable) },
    { label: "Resume", icon: "player-play", meant: paused, run: doAll("resume", paused) },
    {
      label: "Extend",
      icon: "calendar-clock",
      meant: extensible,
      run: () => onAsk({ about: "extend", promotions: extensible, clear }),
    },
    {
      label: "Archive",
      icon: "archive",
      meant: archivable,
      run: () => onAsk({ about: "archive", promotions: archivable, clear }),
    },
    { label: "Restore", icon: "archive-off", meant: archived, run: doAll("restore", archived) },
  ];
  const open = acts.filter(({ meant }) => meant.length > 0);
  if (open.length === 0) return <span>Drafts are published one by one.</span>;
  return open.map(({ label, icon, meant, run }) => (
    <button key={label} type="button" onClick={run}>
      <Icon name={icon} />
      {label} {meant.length}
    </button>
  ));
};
