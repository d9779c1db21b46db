import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Icon } from "../Icon.tsx";

type Props = {
  /** The text that is copied. */
  value: string;
  /** The displayed text, if the value is long. */
  shown?: string;
  /** The name of the copy button: "Copy code". */
  copyLabel: string;
};

/** An id, a code or a secret with a copy button. */
export const Reference = ({ value, shown = value, copyLabel }: Props) => {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <span className="reference">
      <span>{shown}</span>
      <button type="button" aria-label={copyLabel} onClick={copy}>
        <Icon name={copied ? "check" : "copy"} size={13} />
      </button>
      <span className="unseen" role="status">
        {copied && t`Copied`}
      </span>
    </span>
  );
};
