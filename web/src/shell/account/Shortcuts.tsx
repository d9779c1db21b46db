import { usePreferences } from "#lib/session/preferences.ts";
import { useBoundShortcuts } from "#lib/shortcuts.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Keys } from "#ui/Keys.tsx";

const groups = ["Anywhere", "Go to", "Lists", "Records and forms"] as const;

type Props = { onClose: () => void };

/** Lists all keys bound on this page. */
export const Shortcuts = ({ onClose }: Props) => {
  const bound = useBoundShortcuts();
  const { singleKeys } = usePreferences();
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Keyboard shortcuts"
      size={720}
      foot={
        <span className="softer">
          {singleKeys
            ? "Shortcuts rest while you type in a field. Single keys can be switched off in your account menu."
            : "Single keys are switched off in your account menu. Those with Ctrl still work."}
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
              <h3>{group}</h3>
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
