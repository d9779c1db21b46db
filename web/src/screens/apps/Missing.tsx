import { CallError } from "#lib/call.ts";
import { NotFoundPage } from "#shell/ErrorPage.tsx";
import { Failed } from "#ui/Empty.tsx";

type Props = { id: string; error: Error; onRetry: () => void };

/** The app is not there, or could not be read. */
export const Missing = ({ id, error, onRetry }: Props) =>
  error instanceof CallError && (error.is("not_found") || error.is("invalid")) ? (
    <NotFoundPage>
      <p>
        No app has the id <span className="mono">{id}</span>. It may have been deleted, or the link
        was cut short.
      </p>
    </NotFoundPage>
  ) : (
    <Failed what="The app" error={error} onRetry={onRetry} />
  );
