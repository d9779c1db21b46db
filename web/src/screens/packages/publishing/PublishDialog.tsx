import "#ui/styles/radioSheets.ts";
import "./publish.css";
import { t } from "@lingui/core/macro";
import { Button, Radio, Stack, Textarea } from "@mantine/core";
import type { Wire } from "@purser/contract/http/endpoint";
import { publishPackage } from "@purser/contract/packages/publishing";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { number, series } from "#lib/intl.ts";
import { runtime } from "#lib/page/runtime.ts";
import {
  formatDateTime,
  formatTime,
  localDateTime,
  parseLocalDateTime,
  utcOffset,
} from "#lib/time/dates.ts";
import { DateTimeField } from "#ui/dates/DateInput.tsx";
import type { Wanted } from "#ui/dialogs/approval.ts";
import { Consequences, Dialog } from "#ui/dialogs/Dialog.tsx";
import { RefusedAction } from "#ui/dialogs/RefusedAction.tsx";
import { useIdempotencyKey, useOnce } from "#ui/form/useRecordForm.ts";
import { Callout, Refused } from "#ui/page/Callout.tsx";
import { toast } from "#ui/popups/toast.ts";
import { type Impact, impactQuery, noChange } from "../matrix/queries.ts";
import type { Package } from "../queries.ts";
import { AboveLimit, BlockingIssues, Renewals } from "./ImpactFigures.tsx";
import { RolloutChoice } from "./RolloutChoice.tsx";
import { type Rollout, usualMode } from "./rollout.ts";

type Body = Wire<typeof publishPackage>["body"];
type Version = NonNullable<Package["draft"]>;

const zone = runtime.companyTimeZone;

const momentLabel = (at: Date) => `${formatDateTime(zone, at)} ${zone}`;

type When = { later: boolean; at: string };

type Typed = { note: string; rollout: Rollout; when: When };

/** The request body, or the field that is missing. */
const bodyOf = (typed: Typed, draft: Version, impact: Impact): Body | Record<string, string> => {
  const { note, rollout, when } = typed;
  const rolloutAt = rollout.mode === "date" ? parseLocalDateTime(zone, rollout.at) : null;
  const publishAt = when.later ? parseLocalDateTime(zone, when.at) : null;
  const missing = {
    ...(note.trim() === "" && { note: t`Enter a note.` }),
    ...(rollout.mode === "date" && !rolloutAt && { rolloutAt: t`Choose a date and time.` }),
    ...(when.later && !publishAt && { publishAt: t`Choose a date and time.` }),
  };
  if (Object.keys(missing).length > 0) return missing;
  return {
    draftId: draft.id,
    note: note.trim(),
    rollout: rollout.mode,
    rolloutAt: rolloutAt?.toISOString() ?? null,
    publishAt: publishAt?.toISOString() ?? null,
    impact: impact.hash,
  };
};

const isBody = (given: Body | Record<string, string>): given is Body => "draftId" in given;

/** The server's errors by field. */
const errorsOf = (error: CallError) =>
  Object.fromEntries(
    (error.problem.errors ?? []).map(({ pointer, message }) => [pointer.slice(1), message]),
  );

const Effects = ({ impact }: { impact: Impact }) => {
  const { apps, features } = impact.activates;
  const names = series([...apps, ...features]);
  return (
    <>
      <Consequences
        of={[
          {
            icon: "user-circle",
            what: t`Subscribers of other versions`,
            amount: number(impact.subscribers),
          },
          { icon: "plus", what: t`Gain something`, amount: number(impact.gain) },
          { icon: "minus", what: t`Lose something`, amount: number(impact.lose) },
          {
            icon: "adjustments",
            what: t`Features that change`,
            amount: number(impact.effects.length),
          },
        ]}
      />
      <Renewals impact={impact} />
      <AboveLimit impact={impact} />
      {apps.length + features.length > 0 && (
        <p className="soft">{t`Publishing also activates ${names}.`}</p>
      )}
      <BlockingIssues impact={impact} />
    </>
  );
};

const WhenField = ({
  value,
  error,
  onChange,
}: {
  value: When;
  error: string | null;
  onChange: (when: When) => void;
}) => {
  const offset = utcOffset(zone, new Date());
  return (
    <Radio.Group
      label={t`On sale`}
      value={value.later ? "later" : "now"}
      onChange={(chosen) => onChange({ ...value, later: chosen === "later" })}
    >
      <Stack gap={8} mt={6}>
        <Radio value="now" label={t`Now`} />
        <Radio
          value="later"
          label={t`At a set time`}
          description={t`Time zone ${zone} (${offset})`}
        />
      </Stack>
      {value.later && (
        <DateTimeField
          zone={zone}
          label={t`On sale from`}
          min={localDateTime(zone, new Date())}
          value={value.at}
          error={error}
          onChange={(at) => onChange({ ...value, at })}
        />
      )}
    </Radio.Group>
  );
};

type Sent = { pack: Package; draft: Version; onDone: () => void };

/** Publishes what was shown. If it changed in the meantime, shows the new state and asks again. */
const usePublish = ({ pack, draft, onDone }: Sent, show: (impact: Impact) => void) => {
  const navigate = useNavigate();
  const keyFor = useIdempotencyKey();
  const { busy, once } = useOnce();
  const [refusal, setRefusal] = useState<UserFacingError | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isChanged, setChanged] = useState(false);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const meet = (error: unknown) => {
    if (!(error instanceof UserFacingError)) throw error;
    const isOther = error instanceof CallError && error.is("impact_changed");
    setChanged(isOther);
    setErrors(error instanceof CallError ? errorsOf(error) : {});
    setRefusal(isOther || (error instanceof CallError && error.problem.errors) ? null : error);
    if (isOther) show(error.problem.current as Impact);
    return false;
  };
  const publish = (typed: Typed, impact: Impact) =>
    once(async () => {
      const body = bodyOf(typed, draft, impact);
      if (!isBody(body)) {
        setErrors(body);
        return false;
      }
      setWanted({ operation: "POST /packages/:id/publish", params: { id: pack.id }, body });
      try {
        await call(publishPackage, { params: { id: pack.id }, body, key: keyFor(body) });
      } catch (error) {
        return meet(error);
      }
      void queryClient.invalidateQueries({ queryKey: ["packages"] });
      const at = body.publishAt ? momentLabel(new Date(body.publishAt)) : null;
      const { number: version } = draft;
      toast(at ? t`Version ${version} scheduled for ${at}` : t`Version ${version} published`);
      onDone();
      void navigate({ to: "/package/view/$id", params: { id: pack.id } });
      return true;
    });
  return { publish, busy, refusal, errors, isChanged, wanted };
};

type Props = {
  pack: Package;
  /** The rollout chosen before the dialog opened, if any. */
  rollout?: Rollout | null;
  onClose: () => void;
  /** Called before navigating to the package's page. */
  onDone?: () => void;
};

const Form = ({
  pack,
  draft,
  rollout,
  onClose,
  onDone,
  read,
}: Props & { draft: Version; read: Impact }) => {
  // The impact doesn't refresh while it is being read; the server refuses if it changed.
  const [impact, setImpact] = useState(read);
  const [note, setNote] = useState("");
  const [chosen, setChosen] = useState(rollout ?? null);
  const [when, setWhen] = useState<When>({ later: false, at: "" });
  const sent = { pack, draft, onDone: onDone ?? onClose };
  const { publish, busy, refusal, errors, isChanged, wanted } = usePublish(sent, setImpact);
  const way = chosen ?? { mode: usualMode(impact), at: "" };
  const { number: version } = draft;
  const { name } = pack;
  const replaced = pack.onSale?.number ?? "";
  const time = formatTime(zone, new Date(impact.asOf));
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t`Publish version ${version} of ${name}?`}
      fact={
        pack.onSale
          ? t`Replaces version ${replaced}. Published versions can't be changed.`
          : t`The first version on sale. Published versions can't be changed.`
      }
      sign={{ icon: "player-play", tone: "info" }}
      size={560}
      foot={
        <>
          <span className="softer">{t`As of ${time} ${zone}`}</span>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button
            type="submit"
            form="publish"
            aria-busy={busy}
            disabled={impact.blockingIssues.length > 0}
          >
            {when.later ? t`Schedule version ${version}` : t`Publish version ${version}`}
          </Button>
        </>
      }
    >
      <form
        id="publish"
        className="publish"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void publish(
            { note, rollout: impact.subscribers > 0 ? way : { mode: "new buyers", at: "" }, when },
            impact,
          );
        }}
      >
        <RefusedAction refusal={refusal} wanted={wanted} onRequested={onClose} />
        {isChanged && (
          <Callout tone="warn" icon="alert-triangle" role="alert">
            {t`The consequences have changed. Review them, then publish.`}
          </Callout>
        )}
        <Effects impact={impact} />
        <Textarea
          label={t`Note`}
          description={t`The reason for this version. Shown in the version list.`}
          data-autofocus
          maxLength={500}
          value={note}
          error={errors["note"] ?? null}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        {impact.subscribers > 0 && (
          <RolloutChoice
            number={draft.number}
            impact={impact}
            value={way}
            onChange={setChosen}
            error={errors["rolloutAt"] ?? null}
          />
        )}
        <WhenField value={when} error={errors["publishAt"] ?? null} onChange={setWhen} />
      </form>
    </Dialog>
  );
};

/** Publishes the draft with a rollout, bound to the impact that was shown. */
export const PublishDialog = (props: Props) => {
  const { pack, onClose } = props;
  const { data, error } = useQuery({
    ...impactQuery(pack.id, pack.draft?.id ?? "", noChange),
    queryKey: ["packages", "publishing", pack.id],
    enabled: pack.draft !== null,
  });
  if (error && !data)
    return (
      <Dialog opened onClose={onClose} title={t`Publish`}>
        <Refused refusal={error instanceof UserFacingError ? error : null} />
      </Dialog>
    );
  if (!data || !pack.draft) return null;
  return <Form {...props} draft={pack.draft} read={data} />;
};
