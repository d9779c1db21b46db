import { t } from "@lingui/core/macro";
import { attempt, toast } from "#ui/popups/toast.ts";

const copy = (text: string) =>
  attempt(async () => {
    await navigator.clipboard.writeText(text);
    toast(t`Command copied. Insert a server key of the app.`);
  });

/** A shell command with a button that copies it. */
export const CopyCommand = ({ title, command }: { title: string; command: string }) => (
  <div className="check-command">
    <header>
      <h3>{title}</h3>
      <button type="button" className="quiet-link" onClick={() => void copy(command)}>
        {t`Copy command`}
      </button>
    </header>
    <pre>{command}</pre>
  </div>
);
