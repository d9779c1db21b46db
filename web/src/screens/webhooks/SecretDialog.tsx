import { Button } from "@mantine/core";
import { Dialog } from "#ui/Dialog.tsx";
import { Reference } from "#ui/Reference.tsx";

type Props = { secret: string; onClose: () => void };

/** The one time that a secret is shown. */
export const SecretDialog = ({ secret, onClose }: Props) => (
  <Dialog
    opened
    onClose={onClose}
    binding
    title="Keep this secret now"
    fact="It cannot be shown again. With it, the receiver checks that an event is from here."
    sign={{ icon: "key", tone: "warn" }}
    size={560}
    foot={
      <>
        <span className="spacer" />
        <Button onClick={onClose}>I have kept it</Button>
      </>
    }
  >
    <div className="webhooks-secret">
      <Reference value={secret} what="the secret" />
    </div>
  </Dialog>
);
