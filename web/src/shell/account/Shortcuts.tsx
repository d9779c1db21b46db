import { t } from "@lingui/core/macro";
import { usePreferences } from "#lib/session/preferences.ts";
import { type Shortcut, useBoundShortcuts } from "#lib/shortcuts.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Keys } from "#ui/Keys.tsx";

const groupNames: Record<Shortcut["group"], string> = {
  anywhere: t`Anywhere`,
  navigation: t`Go to`,
  lists: t`Lists`,
  records: t`Records and forms`,
};
const groups = Object.keys(groupNames) as Shortcut["group"][];

type Props = { onClose: () => void };

/** Lists all keys bound on this page. */
export const Shortcuts = ({ onClose }: Props) => {
  const bound = useBoundShortcuts();
  const { singleKeys } = usePreferences();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Keyboard shortcuts`}
      size={720}
      foot={
        <span className="softer">
          {singleKeys
            ? t`Shortcuts are off while typing. You can turn off single-key shortcuts in your account menu.`
            : t`Single-key shortcuts are off. You can turn them on in your account menu.`}
        </span>
      }
    >
      {/* Takes the initial focus, because nothing inside is interactive. */}
      <div className="shortcut-sheet" tabIndex={-1} data-autofocus>
        {groups.map((group) => {
          const own = bound.filter((shortcut) => shortcut.group === group);
          if (own.length === 0) return null;
          return (
            <section key={group}>
              <h3>{groupNames[group]}</h3>
              <dl>
                {own.map(({ keys, does }) => (
                  <div key={keys}>
                    <dt>{does}</dt>
                    <dd>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
};
