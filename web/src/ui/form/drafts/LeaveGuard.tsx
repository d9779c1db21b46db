import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import { isLeaving, markLeaving, markStaying } from "#lib/drafts/unsavedChanges.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";

type Props = {
  isUnsaved: () => boolean;
  /** The number of changes that would be lost. */
  changes: number;
  /** Resolves to whether it was saved. */
  save: () => Promise<boolean>;
  onDiscard: () => void;
  /** The element to focus when the user stays. */
  returnTo: () => HTMLElement | null;
};

/** Asks once before leaving with unsaved changes, by router or by browser. */
export const LeaveGuard = ({ isUnsaved, changes, save, onDiscard, returnTo }: Props) => {
  const blocker = useBlocker({
    shouldBlockFn: isUnsaved,
    enableBeforeUnload: () => isUnsaved() && !isLeaving(),
    withResolver: true,
  });
  useEffect(markStaying, []);
  if (blocker.status !== "blocked") return null;
  const proceed = () => {
    // The next page may load a new document, after a release; the browser must not ask again.
    markLeaving();
    blocker.proceed();
  };
  return (
    <Dialog
      opened
      onClose={blocker.reset}
      returnTo={returnTo}
      title={t`Leave without saving?`}
      fact={plural(changes, {
        one: "# change will be lost.",
        other: "# changes will be lost.",
      })}
      sign={{ icon: "alert-triangle", tone: "warn" }}
      size={460}
      foot={
        <>
          <Button
            variant="subtle"
            onClick={() => {
              onDiscard();
              proceed();
            }}
          >
            {t`Discard`}
          </Button>
          <span className="spacer" />
          <Button
            variant="default"
            onClick={async () => {
              if (await save()) proceed();
              else blocker.reset();
            }}
          >
            {t`Save and leave`}
          </Button>
          <Button data-autofocus onClick={blocker.reset}>
            {t`Keep editing`}
          </Button>
        </>
      }
    />
  );
};
