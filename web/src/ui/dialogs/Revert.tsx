import { Button, TextInput } from "@mantine/core";
import { previewRevert, revertEntry } from "@purser/contract/workspace/audit";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { capitalize } from "#lib/labels.ts";
import { useIdempotencyKey, useOnce } from "../form/useRecordForm.ts";
import { Moment } from "../Moment.tsx";
import { Callout, Refused } from "../page/Callout.tsx";
import { toast } from "../popups/toast.ts";
import { formatAuditValue } from "../record/auditValue.ts";
import { Diff } from "../record/Diff.tsx";
import { Dialog } from "./Dialog.tsx";

const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ["audit", "revert", id],
    queryFn: () => call(previewRevert, { params: { id } }),
    // The decision must be based on current values.
    gcTime: 0,
  });

type Preview = Awaited<ReturnType<NonNullable<ReturnType<typeof previewQuery>["queryFn"]>>>;

const deeds = {
  change: "The fields get back what they had. Others that changed since stay.",
  archive: "It is archived again.",
  restore: "It is restored.",
  delete: "It is deleted, because nothing uses it yet.",
} as const;

/** The labels of the record's own screen, if it has any. */
export type FieldNames = (field: string, value: unknown) => { label: string; value: string };

const plainNames: FieldNames = (field, value) => ({
  label: capitalize(field.replace(/([A-Z])/g, " $1").toLowerCase()),
  value: formatAuditValue(value),
});

const Shown = ({ preview, names }: { preview: Preview; names: FieldNames }) => (
  <>
    {preview.act && <p className="soft">{deeds[preview.act]}</p>}
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

/** Why it can't be reverted, and what to do instead. */
const Why = ({ refusal: { detail, place, later }, onLater, onClose }: WhyProps) => (
  <Callout tone="warn" icon="alert-triangle" role="alert">
    <p>{detail}</p>
    {later && (
      <p>
        {later.actorName ?? "Somebody"}, <Moment at={later.at} />, entry {later.id}.{" "}
        <button type="button" className="sentence-link" onClick={() => onLater(later.id)}>
          Look at setting that one back
        </button>
      </p>
    )}
    {place && (
      <p>
        <Link to={place.path} className="sentence-link" onClick={onClose}>
          {place.label}
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
  const { data: preview, error } = useQuery(previewQuery(id));
  const { busy, once } = useOnce();
  const keyFor = useIdempotencyKey();
  const version = preview?.refusal ? null : (preview?.version ?? null);

  const setBack = (version: number) =>
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
      void queryClient.invalidateQueries();
      toast(`Entry ${id} is set back.`);
      onClose();
      return true;
    });

  return (
    <Dialog
      opened
      onClose={onClose}
      title={preview ? `Set back the change of ${preview.label}?` : "Set back"}
      fact={`Entry ${id}. It stays in the log; setting it back is another entry.`}
      sign={{ icon: "arrow-back-up", tone: "info" }}
      foot={
        <>
          <span className="spacer" />
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button type="submit" form="set-back" aria-busy={busy} disabled={version === null}>
            Set back
          </Button>
        </>
      }
    >
      <form
        id="set-back"
        className="stacked-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (version !== null) void setBack(version);
        }}
      >
        <Refused refusal={refusal ?? (error instanceof UserFacingError ? error : null)} />
        {preview?.refusal && <Why refusal={preview.refusal} onLater={setId} onClose={onClose} />}
        {preview && <Shown preview={preview} names={names} />}
        {version !== null && (
          <TextInput
            label={
              <>
                Reason <span className="optional">kept with the change, optional</span>
              </>
            }
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
      </form>
    </Dialog>
  );
};
