import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { getPersonalExport, requestPersonalExport } from "@purser/contract/users/privacy";
import { useQuery } from "@tanstack/react-query";
import { addressOf, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { number } from "#lib/intl.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Moment } from "#ui/Moment.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { attempt } from "#ui/popups/toast.ts";
import type { User } from "../queries.ts";
import { exportsQuery, type PersonalExport } from "./queries.ts";

const kilobytes = (bytes: number) => {
  const size = number(Math.max(1, Math.round(bytes / 1000)));
  return t`${size} kB`;
};

const File = ({ id, file }: { id: string; file: PersonalExport }) => {
  const size = kilobytes(file.bytes ?? 0);
  const { name: requester } = file.requestedBy;
  return (
    <li className="personal-file">
      <Icon name={file.readyAt ? "file-code" : "clock"} />
      <div>
        {file.readyAt && file.bytes !== null && file.expiresAt ? (
          <>
            <a
              className="sentence-link"
              {...downloadLink(
                addressOf(getPersonalExport.path, { params: { id, exportId: file.id } }),
              )}
            >
              {t`Download file`}
            </a>{" "}
            <span className="soft">
              <Trans>
                {size}, deleted <Moment at={file.expiresAt} />
              </Trans>
            </span>
          </>
        ) : (
          <span role="status">{t`Preparing the file…`}</span>
        )}
        <small className="soft">
          <Trans>
            Requested by {requester} <Moment at={file.requestedAt} />
          </Trans>
        </small>
      </div>
    </li>
  );
};

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
      title={t`Data of ${name}`}
      fact={t`All data about this customer as a zip of JSON and CSV. Deleted after 7 days.`}
      sign={{ icon: "download", tone: "info" }}
      size={480}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Close`}
          </Button>
          <Button aria-busy={isWriting} disabled={isWriting} onClick={ask} data-autofocus>
            {t`Create file`}
          </Button>
        </>
      }
    >
      {error && <Failed title={t`Couldn't load exports`} error={error} onRetry={() => refetch()} />}
      {files.length === 0 && !error ? (
        <p className="soft">{t`No files yet.`}</p>
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
