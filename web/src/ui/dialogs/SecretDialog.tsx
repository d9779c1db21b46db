import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { Reference } from "../record/Reference.tsx";
import { Dialog } from "./Dialog.tsx";

type Props = {
  title: string;
  /** The name of the copy button. */
  copyLabel: string;
  /** What the secret allows, or why it must be stored. */
  fact: string;
  secret: string;
  onClose: () => void;
};

/** Shows a secret, which is possible only once. */
export const SecretDialog = ({ title, copyLabel, fact, secret, onClose }: Props) => (
  <Dialog
    opened
    onClose={onClose}
    binding
    title={title}
    fact={fact}
    sign={{ icon: "key", tone: "warn" }}
    size={560}
    foot={
      <>
        <span className="spacer" />
        <Button onClick={onClose}>{t`I've saved it`}</Button>
      </>
    }
  >
    <div className="secret">
      <Reference value={secret} copyLabel={copyLabel} />
    </div>
  </Dialog>
);
