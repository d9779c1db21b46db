import { t } from "@lingui/core/macro";
import type { Wire } from "@purser/contract/http/endpoint";
import { publishPackage } from "@purser/contract/packages/publishing";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { runtime } from "#lib/page/runtime.ts";
import { formatDateTime } from "#lib/time/dates.ts";
import { parseLocalDateTime } from "#lib/time/localTime.ts";
import type { Wanted } from "#ui/dialogs/approval.ts";
import { useIdempotencyKey, useOnce } from "#ui/form/useRecordForm.ts";
import { toast } from "#ui/popups/toast.ts";
import type { Impact } from "../matrix/queries.ts";
import type { Package } from "../queries.ts";
import type { Rollout } from "./rollout.ts";

type Body = Wire<typeof publishPackage>["body"];
export type Draft = NonNullable<Package["draft"]>;

const zone = runtime.companyTimeZone;

export type When = { later: boolean; at: string };

type Typed = { note: string; rollout: Rollout; when: When };

/** The request body, or the field that is missing. */
const bodyOf = (typed: Typed, draft: Draft, impact: Impact): Body | Record<string, string> => {
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

const scheduledText = (name: string, version: number, at: Date) => {
  const moment = `${formatDateTime(zone, at)} ${zone}`;
  return t`${name} version ${version} scheduled for ${moment}`;
};

/** Publishes what was shown. If it changed in the meantime, shows the new state and asks again. */
export const usePublish = (
  { pack, draft }: { pack: Package; draft: Draft },
  show: (impact: Impact) => void,
) => {
  const router = useRouter();
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
    if (isOther) {
      show(error.problem.current as Impact);
      void queryClient.invalidateQueries({ queryKey: ["packages"] });
    }
    return false;
  };
  const view = (hash?: string) =>
    router.navigate({
      to: "/package/view/$id",
      params: { id: pack.id },
      ...(hash && { hash }),
    });
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
      await view();
      void queryClient.invalidateQueries({ queryKey: ["packages"] });
      const { name } = pack;
      const { number: version } = draft;
      if (body.publishAt) toast(scheduledText(name, version, new Date(body.publishAt)));
      else
        toast(
          t`${name} version ${version} published`,
          body.rollout === "new buyers"
            ? undefined
            : { label: t`View rollout`, run: () => view("rollouts") },
        );
      return true;
    });
  return { publish, busy, refusal, errors, isChanged, wanted };
};
