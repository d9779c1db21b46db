import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import type { IconName } from "../iconNames.ts";
import type { Tone } from "../Status.tsx";
import type { Wanted } from "./approval.ts";
import { Dialog } from "./Dialog.tsx";
import { RefusedAction } from "./RefusedAction.tsx";

/** Runs an action once and shows progress and errors in the dialog. */
const useAction = (action: () => Promise<unknown>, onDone: () => void) => {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const run = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await action();
      onDone();
    } catch (error) {
      if (!(error instanceof UserFacingError)) throw error;
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, refusal, run };
};

type Props = {
  title: string;
  /** One sentence below the title. */
  fact?: string;
  sign: { icon: IconName; tone: Tone };
  /** The button label: verb and object. */
  button: string;
  action: () => Promise<unknown>;
  onClose: () => void;
  /** After success. Closes the dialog by default. */
  onDone?: () => void;
  /** Hard to undo: shown as an alert dialog with a red button. */
  isHard?: boolean;
  /** The call to make, where it may require approval. The dialog then offers to request it. */
  wanted?: Wanted;
  /** Text the user must type to confirm. */
  typed?: string;
  /** False while there is nothing to do yet. */
  canRun?: boolean;
  children?: ReactNode;
};

/** Asks for confirmation and shows the consequences. Cancel has the focus. */
export const Confirm = (props: Props) => {
  const { title, fact, sign, button, action, onClose, onDone = onClose, children } = props;
  const { isHard = false, typed = "", wanted = null, canRun = true } = props;
  const [given, setGiven] = useState("");
  const { busy, refusal, run } = useAction(action, onDone);
  const isReady = canRun && given.trim() === typed;
  return (
    <Dialog
      opened
      onClose={onClose}
      alert={isHard}
      title={title}
      fact={fact}
      sign={sign}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose} {...(!typed && { "data-autofocus": true })}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            form="confirm"
            disabled={!isReady}
            aria-busy={busy}
            {...(isHard && { color: "red", "data-tone": "bad" })}
          >
            {button}
          </Button>
        </>
      }
    >
      <RefusedAction refusal={refusal} wanted={wanted} onRequested={onClose} />
      {children}
      <form
        id="confirm"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void run();
        }}
      >
        {typed && (
          <TextInput
            className="mono-input"
            label={
              <Trans>
                Type <span className="typed mono">{typed}</span> to confirm
              </Trans>
            }
            value={given}
            onChange={({ currentTarget }) => setGiven(currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
      </form>
    </Dialog>
  );
};
