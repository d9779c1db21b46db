import { Button } from "@mantine/core";
import { Reference } from "../record/Reference.tsx";
import { Dialog } from "./Dialog.tsx";

type Props = {
  /** What kind of secret, in one word. */
  one: string;
  /** What the secret allows, or why it must be stored. */
  fact: string;
  secret: string;
  onClose: () => void;
};

/** Shows a secret, which is possible only once. */
export const SecretDialog = ({ one, fact, secret, onClose }: Props) => (
  <Dialog
    opened
    onClose={onClose}
    binding
    title={`Keep this ${one} now`}
    fact={fact}
    sign={{ icon: "key", tone: "warn" }}
    size={560}
    foot={
      <>
        <span className="spacer" />
        <Button onClick={onClose}>I have kept it</Button>
      </>
    }
  >
    <div className="secret">
      <Reference value={secret} what={`the ${one}`} />
    </div>
  </Dialog>
);
