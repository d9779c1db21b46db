import { getDraft } from "@purser/contract/workspace/unsavedChanges";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { call } from "#lib/api/call.ts";
import {
  type Draft,
  type DraftCopy,
  type DraftPlace,
  dropCopy,
  findCopy,
  onFlush,
  takeContinuation,
} from "#lib/drafts/drafts.ts";
import { useMe } from "#lib/session/session.ts";
import { changedFields, type Meeting, meetingOf, type Stored } from "../conflict/merge.ts";
import { createKeeper, type Keeper } from "./draftSync.ts";

type Values = Record<string, unknown>;

const pauseMs = 1000;

const draftQuery = (form: string) =>
  queryOptions({
    queryKey: ["drafts", form],
    queryFn: async () => (await call(getDraft, { params: { form } })).draft,
    // Read once for each opening of a form, and never in the way of it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    networkMode: "always",
    refetchOnWindowFocus: false,
  });

/**
 * Whether a browser's own copy is newer than what the server kept. It is if the server kept nothing since;
 * clocks, which may differ, decide only between two machines.
 */
const isNewer = (copy: DraftCopy, kept: Draft) =>
  changedFields(kept.values, copy.values).length > 0 &&
  (kept.savedAt <= copy.after || kept.savedAt < copy.savedAt);

/** The newer of what the server and this browser kept; undefined until the server was asked. */
const useFound = (place: DraftPlace, keeper: Keeper): Draft | null | undefined => {
  const { data: kept = null, isPending } = useQuery(draftQuery(place.form));
  const [copy] = useState(() => findCopy(place));
  const newer = copy && (!kept || isNewer(copy, kept)) ? copy : kept;
  useEffect(() => {
    if (!kept) return;
    keeper.learn(kept.savedAt);
    if (newer === kept) dropCopy(place);
  }, [kept, newer, place, keeper]);
  return isPending ? undefined : newer;
};

/** The fields that this form has: those of another release are left out, and what that lacked is as stored. */
const fieldsOf = <V extends Values>(stored: V, given: Values): V => {
  const read = { ...stored };
  for (const field of Object.keys(stored) as (keyof V)[])
    if (Object.hasOwn(given, field)) read[field] = given[field as string] as V[keyof V];
  return read;
};

/** What a draft and the record as it is now make together, unless the draft adds nothing to it. */
const offerOf = <V extends Values>(
  { savedAt, version, base, values }: Draft,
  stored: Stored<V>,
) => {
  const meeting = meetingOf(
    { version, values: fieldsOf(stored.values, base) },
    fieldsOf(stored.values, values),
    stored,
  );
  const adds = changedFields(meeting.current.values, meeting.merged).length > 0;
  return adds ? { savedAt, meeting } : null;
};

/** Keeps what is typed when the page is hidden, closed or broken, and when the server is back. */
const useFlush = (keeper: Keeper) => {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const flush = () => void keeper.flush();
    const flushIfHidden = () => document.visibilityState === "hidden" && flush();
    addEventListener("pagehide", flush, { signal });
    addEventListener("online", keeper.keep, { signal });
    document.addEventListener("visibilitychange", flushIfHidden, { signal });
    const stop = onFlush(keeper.flush);
    return () => {
      listening.abort();
      stop();
      flush();
    };
  }, [keeper]);
};

type Form<V extends Values> = {
  stored: Stored<V>;
  values: V;
  isDirty: boolean;
  /** Puts a draft that was found into the form. */
  takeUp: (meeting: Meeting<V>) => void;
};

/**
 * Unsaved work survives: what is typed is kept a second after the last change, and offered again to the
 * same person wherever they open the form next. Who goes on typing instead has chosen the new over the old.
 */
export const useDraft = <V extends Values>(form: string, record: Form<V>) => {
  const { stored, values, isDirty, takeUp } = record;
  const { id: userId } = useMe();
  const [place] = useState({ userId, form });
  const [keeper] = useState(() => createKeeper(place));
  const [isAnswered, setAnswered] = useState(false);
  const found = useFound(place, keeper);
  const isRead = found !== undefined;
  const offer = found && !isAnswered ? offerOf(found, stored) : null;
  useFlush(keeper);

  const restore = () => {
    if (!offer) return;
    setAnswered(true);
    keeper.adopt();
    takeUp(offer.meeting);
  };
  const forget = () => {
    setAnswered(true);
    keeper.forget();
  };

  const keep = useEffectEvent(() => {
    // What may still be offered is not overwritten unseen.
    if (!isRead) return;
    setAnswered(true);
    keeper.keep();
  });
  useEffect(() => {
    if (!isDirty) return keeper.clear();
    const { version, values: base } = stored;
    keeper.note({ version, base, values, savedAt: new Date().toISOString() });
    const pause = setTimeout(keep, pauseMs);
    return () => clearTimeout(pause);
  }, [keeper, isDirty, stored, values]);

  const begin = useEffectEvent(() => {
    if (takeContinuation()) restore();
    if (offer) return;
    // One that adds nothing to the record any more has served its purpose.
    if (found && !isDirty) keeper.forget();
    else keeper.keep();
  });
  useEffect(() => {
    if (isRead) begin();
  }, [isRead]);

  return { offer, restore, forget };
};
