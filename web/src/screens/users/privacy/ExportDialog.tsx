import { Button } from "@mantine/core";
import { getPersonalExport, requestPersonalExport } from "@purser/contract/users/privacy";
import { useQuery } from "@tanstack/react-query";
import { addressOf, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { count } from "#lib/labels.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { Failed } from "#ui/page/Empty.tsx";
import { attempt } from "#ui/popups/toast.ts";
import type { User } from "../queries.ts";
import { exportsQuery, type PersonalExport } from "./queries.ts";

const kilobytes = (bytes: number) => count(Math.max(1, Math.round(bytes / 1000)), "kB", "kB");

const File = ({ id, file }: { id: string; file: PersonalExport }) => (
  <li className="personal-file">
    <Icon name={file.readyAt ? "file-code" : "clock"} />
    <div>
      {file.readyAt && file.bytes !== null && file.expiresAt ? (
        <>
          <a
            className="sentence-link"
            href={addressOf(getPersonalExport.path, { params: { id, exportId: file.id } })}
            download
          >
            Download the file
          </a>{" "}
          <span className="soft">
            {kilobytes(file.bytes)}, deleted <Moment at={file.expiresAt} />
          </span>
        </>
      ) : (
        <span role="status">The file is being written…</span>
      )}
      <small className="soft">
        asked for by {file.requestedBy.name} <Moment at={file.requestedAt} />
      </small>
    </div>
  </li>
);

/** Exports a user's data as a file. */
export const ExportDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const { id, name } = user;
  const { data: files = [], error, refetch } = useQuery(exportsQuery(id));
  const isWriting = files.some(({ readyAt }) => readyAt === null);
  const ask = () =>
    attempt(async () => {
      await call(requestPersonalExport, { params: { id }, body: {} });
      await queryClient.invalidateQueries({ queryKey: exportsQuery(id).queryKey });
    });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`Data of ${name}`}
      fact="Everything that we keep about this person, as JSON and as tables in one zip. Each file is deleted after 7 days."
      sign={{ icon: "download", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button aria-busy={isWriting} disabled={isWriting} onClick={ask} data-autofocus>
            Write a new file
          </Button>
        </>
      }
    >
      {error && <Failed what="The files" error={error} onRetry={() => refetch()} />}
      {files.length === 0 && !error ? (
        <p className="soft">No file was written yet.</p>
      ) : (
        <ul className="personal-files">
          {files.map((file) => (
            <File key={file.id} id={id} file={file} />
          ))}
        </ul>
      )}
    </Dialog>
  );
};
