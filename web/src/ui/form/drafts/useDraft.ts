import { getDraft } from "@purser/contract/workspace/unsavedChanges";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { call } from "#lib/api/call.ts";
import {
  consumeContinuation,
  type Draft,
  type DraftCopy,
  type DraftPlace,
  findCopy,
  onFlush,
  removeCopy,
} from "#lib/drafts/drafts.ts";
import { useMe } from "#lib/session/session.ts";
import { changedFields, type RebasedEdits, rebaseEdits, type Stored } from "../conflict/merge.ts";
import { createDraftSync, type DraftSync } from "./draftSync.ts";

type Values = Record<string, unknown>;

const pauseMs = 1000;

const draftQuery = (form: string) =>
  queryOptions({
    queryKey: ["drafts", form],
    queryFn: async () => (await call(getDraft, { params: { form } })).draft,
    // Fetched once per form opening, without delaying it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    networkMode: "always",
    refetchOnWindowFocus: false,
  });

/**
 * Whether the browser's copy is newer than the server's draft: if the server saved nothing since.
 * Clocks, which may differ, decide only between two machines.
 */
const isNewer = (copy: DraftCopy, kept: Draft) =>
  changedFields(kept.values, copy.values).length > 0 &&
  (kept.savedAt <= copy.after || kept.savedAt < copy.savedAt);

/** The newer draft of server and browser. Undefined until the server answered. */
const useFound = (place: DraftPlace, sync: DraftSync): Draft | null | undefined => {
  const { data: kept = null, isPending } = useQuery(draftQuery(place.form));
  const [copy] = useState(() => findCopy(place));
  const newer = copy && (!kept || isNewer(copy, kept)) ? copy : kept;
  useEffect(() => {
    if (!kept) return;
    sync.learn(kept.savedAt);
    if (newer === kept) removeCopy(place);
  }, [kept, newer, place, sync]);
  return isPending ? undefined : newer;
};

/**
 * Only the fields of this form. A draft of another release may have others, and missing ones use
 * the stored value.
 */
const fieldsOf = <V extends Values>(stored: V, given: Values): V => {
  const read = { ...stored };
  for (const field of Object.keys(stored) as (keyof V)[])
    if (Object.hasOwn(given, field)) read[field] = given[field as string] as V[keyof V];
  return read;
};

/** The draft merged with the current record, or null if it changes nothing. */
const offerOf = <V extends Values>(
  { savedAt, version, base, values }: Draft,
  stored: Stored<V>,
) => {
  const meeting = rebaseEdits(
    { version, values: fieldsOf(stored.values, base) },
    fieldsOf(stored.values, values),
    stored,
  );
  const adds = changedFields(meeting.current.values, meeting.merged).length > 0;
  return adds ? { savedAt, meeting } : null;
};

/** Saves the draft when the page is hidden, closed or broken, and when the connection returns. */
const useFlush = (sync: DraftSync) => {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const flush = () => void sync.flush();
    const flushIfHidden = () => document.visibilityState === "hidden" && flush();
    addEventListener("pagehide", flush, { signal });
    addEventListener("online", sync.keep, { signal });
    document.addEventListener("visibilitychange", flushIfHidden, { signal });
    const stop = onFlush(sync.flush);
    return () => {
      listening.abort();
      stop();
      flush();
    };
  }, [sync]);
};

type Form<V extends Values> = {
  stored: Stored<V>;
  values: V;
  isDirty: boolean;
  /** Restores a found draft into the form. */
  takeUp: (meeting: RebasedEdits<V>) => void;
};

/**
 * Saves unsaved changes one second after the last edit and offers them when the same user opens the
 * form again. Typing without restoring discards the offered draft.
 */
export const useDraft = <V extends Values>(form: string, record: Form<V>) => {
  const { stored, values, isDirty, takeUp } = record;
  const { id: userId } = useMe();
  const [place] = useState({ userId, form });
  const [sync] = useState(() => createDraftSync(place));
  const [isAnswered, setAnswered] = useState(false);
  const found = useFound(place, sync);
  const isRead = found !== undefined;
  const offer = found && !isAnswered ? offerOf(found, stored) : null;
  useFlush(sync);

  const restore = () => {
    if (!offer) return;
    setAnswered(true);
    sync.adopt();
    takeUp(offer.meeting);
  };
  const forget = () => {
    setAnswered(true);
    sync.forget();
  };

  const keep = useEffectEvent(() => {
    // Don't overwrite a draft that is still being offered.
    if (!isRead) return;
    setAnswered(true);
    sync.keep();
  });
  useEffect(() => {
    if (!isDirty) return sync.clear();
    const { version, values: base } = stored;
    sync.note({ version, base, values, savedAt: new Date().toISOString() });
    const pause = setTimeout(keep, pauseMs);
    return () => clearTimeout(pause);
  }, [sync, isDirty, stored, values]);

  const begin = useEffectEvent(() => {
    if (consumeContinuation()) restore();
    if (offer) return;
    // A draft that changes nothing is obsolete.
    if (found && !isDirty) sync.forget();
    else sync.keep();
  });
  useEffect(() => {
    if (isRead) begin();
  }, [isRead]);

  return { offer, restore, forget };
};
