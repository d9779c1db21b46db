import { t } from "@lingui/core/macro";
import { messageText } from "#lib/serverMessages.ts";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Callout } from "#ui/page/Callout.tsx";
import type { SaleQuote } from "../queries.ts";
import type { SaleValues } from "./values.ts";

/** Codes are compared without spaces, dashes and capitals. */
export const plainCode = (code: string) => code.replaceAll(/[\s-]/g, "").toUpperCase();

type Props = {
  record: RecordForm<SaleValues>;
  quote: SaleQuote | null;
  onRemove: (code: string) => void;
};

/** Codes that don't apply block the sale until they are removed or the price without them is confirmed. */
export const RejectedCodes = ({ record: { form }, quote, onRemove }: Props) => {
  if (!quote || quote.rejectedCodes.length === 0) return null;
  return (
    <div>
      <Callout tone="warn" icon="tag-off" role="status">
        <p>{t`These codes don't apply. Remove them, or confirm the price without them.`}</p>
        <ul className="rejected-codes">
          {quote.rejectedCodes.map(({ code, message }) => (
            <li key={code}>
              <span>
                <b className="mono">{code}</b> {messageText(message)}
              </span>
              <button type="button" className="quiet-link" onClick={() => onRemove(code)}>
                {t`Remove code`}
              </button>
            </li>
          ))}
        </ul>
        <label className="another">
          <input
            type="checkbox"
            className="box"
            data-path="acceptRejectedCodes"
            checked={form.values.acceptRejectedCodes}
            onChange={({ currentTarget }) =>
              form.setFieldValue("acceptRejectedCodes", currentTarget.checked)
            }
          />
          {t`Record at the price without these codes`}
        </label>
      </Callout>
    </div>
  );
};
