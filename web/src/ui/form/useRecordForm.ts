import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { CallError } from "#lib/api/call.ts";
import { markDirty } from "#lib/drafts/unsavedChanges.ts";
import { changedFields, type Meeting, meetingOf, mergeOf, type Stored } from "./conflict/merge.ts";
import { useDraft } from "./drafts/useDraft.ts";
import { errorsShownAt, inOrder, shownAt } from "./errorPaths.ts";

type Values = Record<string, unknown>;

type Options<V extends Values, R> = {
  /** Under which name what is typed is kept: one for each form and record, such as `apps-create`. */
  draft: string;
  schema: z.ZodType;
  /** Fields whose parts have inputs of their own, each with its errors. */
  parted?: readonly (keyof V & string)[];
  stored: Stored<V>;
  /** The values of a record that the server gave, as the form holds them. */
  valuesOf: (record: R) => Stored<V>;
  /** The key stays the same for the same thing sent again. */
  save: (values: V, sending: { version: number; key: string }) => Promise<R>;
  onSaved: (record: R) => void;
};

/** Puts the server's errors where the browser's stand; what belongs to no field is told above all. */
const errorsFrom = (error: CallError, values: Values, parted: readonly string[]) => {
  const fields: FormErrors = {};
  const others: string[] = [];
  for (const { in: part, pointer, message } of error.problem.errors ?? []) {
    const [field = "", ...rest] = pointer.split("/").slice(1);
    if (part === "body" && field in values)
      fields[shownAt([field, ...rest].join("."), parted)] = message;
    else others.push(`${field} ${message}`);
  }
  if (Object.keys(fields).length === 0 && others.length === 0) others.push(error.message);
  return { fields, others };
};

/** What is wrong with a form: at its fields, and beside them. */
const useErrors = <V extends Values>(form: UseFormReturnType<V>) => {
  const [refusals, setRefusals] = useState<string[]>([]);
  const [wasRefused, setWasRefused] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const focus = (path: string) => {
    const places = [path, path.split(".")[0]].map((one) =>
      document.querySelector<HTMLElement>(`[data-path="${one}"]`),
    );
    places.find(Boolean)?.focus();
  };
  return {
    refusals,
    /** Whether the errors were met by saving, not only by passing a field. */
    wasRefused,
    /** What the server answered, if it was that which refused. */
    error,
    focus,
    show: (fields: FormErrors, others: string[], by: CallError | null = null) => {
      setError(by);
      form.setErrors(fields);
      setRefusals(others);
      setWasRefused(true);
      const [first] = inOrder(Object.keys(form.values), fields);
      // Once the errors are drawn: whoever hears the field hears its error with it.
      if (first) requestAnimationFrame(() => focus(first));
    },
    clear: () => {
      form.clearErrors();
      setRefusals([]);
      setWasRefused(false);
      setError(null);
    },
  };
};

/** A second call while the first runs does nothing. */
export const useOnce = () => {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const once = async (work: () => Promise<boolean>) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    try {
      return await work();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, once };
};

/** One key for one body: sent again after a lost answer it is still the same thing. */
export const useKey = () => {
  const last = useRef({ body: "", key: "" });
  return (body: Values) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: crypto.randomUUID() };
    return last.current.key;
  };
};

/** Whether leaving would lose something. What was saved may be left, also before the form knows it. */
export const useUnsaved = (isDirty: boolean) => {
  const saved = useRef(false);
  useEffect(() => {
    if (!isDirty) return;
    saved.current = false;
    return markDirty();
  }, [isDirty]);
  return {
    isUnsaved: () => isDirty && !saved.current,
    markSaved: () => {
      saved.current = true;
    },
  };
};

type Opened<V extends Values> = Pick<Options<V, never>, "schema" | "stored" | "parted">;

/** What the form holds beside what is stored, and the question while both changed the same. */
const useRecordValues = <V extends Values>(opened: Opened<V>) => {
  const [stored, setStored] = useState(opened.stored);
  const [conflict, setConflict] = useState<Meeting<V> | null>(null);
  const check = schemaResolver(opened.schema, { sync: true });
  const form = useForm<V>({
    initialValues: opened.stored.values,
    validate: (values) => errorsShownAt(check(values), opened.parted ?? []),
    validateInputOnBlur: true,
  }) as unknown as UseFormReturnType<V>;
  const errors = useErrors(form);
  const changed = changedFields(stored.values, form.values);
  return {
    form,
    errors,
    stored,
    changed,
    isDirty: changed.length > 0,
    conflict,
    setConflict,
    /** From now on that state of the record is what ours is compared with. */
    goOnFrom: (current: Stored<V>, values: V) => {
      setConflict(null);
      errors.clear();
      setStored(current);
      form.setValues(values);
    },
  };
};

/**
 * A record in a form: what was changed, what is wrong with it, and saving it once. A save that meets
 * somebody else's change is merged with it; only what both changed is asked.
 */
export const useRecordForm = <V extends Values, R>(options: Options<V, R>) => {
  const { valuesOf, save, onSaved } = options;
  const { setConflict, goOnFrom, ...record } = useRecordValues<V>(options);
  const { form, errors, stored, isDirty, conflict } = record;
  const { busy, once } = useOnce();
  const keyFor = useKey();
  const { isUnsaved, markSaved } = useUnsaved(isDirty);
  const draft = useDraft(options.draft, {
    stored,
    values: form.values,
    isDirty,
    takeUp: (meeting: Meeting<V>) =>
      meeting.clashes.length > 0 ? setConflict(meeting) : goOnFrom(meeting.current, meeting.merged),
  });

  const send = async (body: V, base: Stored<V>): Promise<boolean> => {
    const before = form.getValues();
    try {
      const saved = await save(body, { version: base.version, key: keyFor(body) });
      const next = valuesOf(saved);
      // What was typed while the answer was under way stays, and is still to be saved.
      const { merged } = mergeOf(before, form.getValues(), next.values);
      if (base.version === 0 || changedFields(next.values, merged).length === 0) markSaved();
      draft.forget();
      goOnFrom(next, merged);
      onSaved(saved);
      return true;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.is("stale_version")) return meet(valuesOf(error.problem.current as R), body, base);
      const { fields, others } = errorsFrom(error, body, options.parted ?? []);
      errors.show(fields, others, error);
      return false;
    }
  };
  const meet = async (theirs: Stored<V>, mine: V, base: Stored<V>) => {
    const meeting = meetingOf(base, mine, theirs);
    if (meeting.clashes.length === 0) return send(meeting.merged, theirs);
    setConflict(meeting);
    return false;
  };
  const sendIfRight = async (values: V, base: Stored<V>) => {
    const { errors: found } = form.validate() as { errors: FormErrors };
    if (Object.keys(found).length === 0) return send(values, base);
    errors.show(found, []);
    return false;
  };

  return {
    ...record,
    isUnsaved,
    busy,
    draft,
    /** Whether it was saved. */
    submit: () =>
      once(async () => (stored.version > 0 && !isDirty) || sendIfRight(form.values, stored)),
    /** Saves the mix that somebody chose field by field. What is wrong with it is told in the form. */
    resolve: (mix: V) =>
      once(async () => {
        if (!conflict) return false;
        goOnFrom(conflict.current, mix);
        return sendIfRight(mix, conflict.current);
      }),
    /** What only they changed comes along. */
    keepEditing: () => {
      if (conflict) goOnFrom(conflict.current, conflict.merged);
    },
    reset: (field: keyof V & string) =>
      form.setFieldValue(field as never, stored.values[field] as never),
    discard: () => {
      form.setValues(stored.values);
      errors.clear();
    },
  };
};
export type RecordForm<V extends Values> = ReturnType<typeof useRecordForm<V, unknown>>;
