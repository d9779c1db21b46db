import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { revertEntry } from "@purser/contract/workspace/audit";
import { useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { messageText } from "#lib/serverMessages.ts";
import { Optional } from "../form/Field.tsx";
import { useIdempotencyKey, useOnce } from "../form/useRecordForm.ts";
import { Moment } from "../Moment.tsx";
import { Callout, Refused } from "../page/Callout.tsx";
import { toast } from "../popups/toast.ts";
import { unknownUser } from "../record/Actor.tsx";
import { formatAuditValue } from "../record/auditValue.ts";
import { columnName } from "../record/columnNames.ts";
import { Diff } from "../record/Diff.tsx";
import { Dialog } from "./Dialog.tsx";
import { revertPreviewQuery } from "./revertPreview.ts";

type Preview = Awaited<ReturnType<NonNullable<ReturnType<typeof revertPreviewQuery>["queryFn"]>>>;

const effects: Record<NonNullable<Preview["action"]>, string> = {
  change: t`These fields get their previous values. Other changes are kept.`,
  archive: t`The record is archived again.`,
  restore: t`The record is restored.`,
  delete: t`The record is deleted because nothing uses it yet.`,
  draft: t`Creates a draft with the previous prices. Review and publish it.`,
};

/** The labels of the record's own screen, if it has any. */
export type FieldNames = (field: string, value: unknown) => { label: string; value: string };

const plainNames: FieldNames = (field, value) => ({
  label: columnName(field),
  value: formatAuditValue(value),
});

const Shown = ({ preview, names }: { preview: Preview; names: FieldNames }) => (
  <>
    {preview.action && <p className="soft">{effects[preview.action]}</p>}
    <Diff
      changes={preview.sets.map(({ field, from, to }) => ({
        field: names(field, from).label,
        before: names(field, from).value,
        after: names(field, to).value,
      }))}
    />
  </>
);

type WhyProps = {
  refusal: NonNullable<Preview["refusal"]>;
  onLater: (id: string) => void;
  onClose: () => void;
};

type Later = NonNullable<WhyProps["refusal"]["later"]>;

const LaterChange = ({
  later: { id, at, actorName },
  onLater,
}: {
  later: Later;
  onLater: (id: string) => void;
}) => {
  const name = actorName ?? unknownUser;
  return (
    <p>
      <Trans>
        {name} changed it later, <Moment at={at} />, in entry {id}.
      </Trans>{" "}
      <button type="button" className="sentence-link" onClick={() => onLater(id)}>
        {t`Revert that change first`}
      </button>
    </p>
  );
};

/** Why it can't be reverted, and what to do instead. */
const Why = ({ refusal: { detail, place, later }, onLater, onClose }: WhyProps) => (
  <Callout tone="warn" icon="alert-triangle" role="alert">
    <p>{messageText(detail)}</p>
    {later && <LaterChange later={later} onLater={onLater} />}
    {place && (
      <p>
        <Link to={place.path} className="sentence-link" onClick={onClose}>
          {messageText(place.label)}
        </Link>
      </p>
    )}
  </Callout>
);

type Props = { entryId: string; names?: FieldNames; onClose: () => void };

/** Reverts the changes of an audit entry after showing the effect. */
export const Revert = ({ entryId, names = plainNames, onClose }: Props) => {
  const [id, setId] = useState(entryId);
  const [reason, setReason] = useState("");
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const { data: preview, error } = useQuery(revertPreviewQuery(id));
  const name = preview?.label ?? "";
  const { busy, once } = useOnce();
  const keyFor = useIdempotencyKey();
  const version = preview?.refusal ? null : (preview?.version ?? null);
  const review = preview?.review ?? null;
  const router = useRouter();

  const revert = (version: number) =>
    once(async () => {
      const body = { ...(reason.trim() && { reason: reason.trim() }) };
      const key = keyFor({ id, ...body });
      try {
        await call(revertEntry, { params: { id }, version, body, key });
      } catch (error) {
        if (!(error instanceof UserFacingError)) throw error;
        setRefusal(error);
        return false;
      }
      if (review === null) toast(t`Change reverted`);
      else {
        // The review must not start with the package as it was before it had this draft.
        queryClient.removeQueries({ queryKey: ["packages"], type: "inactive" });
        const note = reason.trim() || t`Previous prices restored`;
        await router.navigate({ to: review, state: { note } });
      }
      void queryClient.invalidateQueries();
      onClose();
      return true;
    });

  return (
    <Dialog
      opened
      onClose={onClose}
      title={preview ? t`Revert this change to ${name}?` : t`Revert`}
      fact={t`Entry ${id} is kept. Reverting adds a new entry to the log.`}
      sign={{ icon: "arrow-back-up", tone: "info" }}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose} data-autofocus>
            {t`Cancel`}
          </Button>
          <Button type="submit" form="revert" aria-busy={busy} disabled={version === null}>
            {review === null ? t`Revert` : t`Review draft`}
          </Button>
        </>
      }
    >
      <form
        id="revert"
        className="stacked-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (version !== null) void revert(version);
        }}
      >
        <Refused refusal={refusal ?? (error instanceof UserFacingError ? error : null)} />
        {preview?.refusal && <Why refusal={preview.refusal} onLater={setId} onClose={onClose} />}
        {preview && <Shown preview={preview} names={names} />}
        {version !== null && (
          <TextInput
            label={<Optional>{t`Reason`}</Optional>}
            description={t`Saved with your name in the history.`}
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
      </form>
    </Dialog>
  );
};
