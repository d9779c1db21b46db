import { CallError } from "#lib/api/call.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { NotFoundPage } from "./ErrorPage.tsx";

type Props = {
  /** The entity's name: "app". */
  one: string;
  id: string;
  error: Error;
  onRetry: () => void;
};

/** The record doesn't exist or couldn't be loaded. */
export const Missing = ({ one, id, error, onRetry }: Props) =>
  error instanceof CallError && (error.is("not_found") || error.is("invalid")) ? (
    <NotFoundPage>
      <p>
        No {one} has the id <span className="mono">{id}</span>. It may have been deleted, or the
        link was cut short.
      </p>
    </NotFoundPage>
  ) : (
    <Failed what={`The ${one}`} error={error} onRetry={onRetry} />
  );
