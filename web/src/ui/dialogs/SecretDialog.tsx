import { Button } from "@mantine/core";
import { Reference } from "../record/Reference.tsx";
import { Dialog } from "./Dialog.tsx";

type Props = {
  /** What it is, in one word. */
  one: string;
  /** What becomes of whoever has it, or has it not. */
  fact: string;
  secret: string;
  onClose: () => void;
};

/** The one time that a secret is shown. */
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
