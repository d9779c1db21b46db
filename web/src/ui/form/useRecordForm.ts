import { t } from "@lingui/core/macro";
import { type FormErrors, schemaResolver, type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import { CallError } from "#lib/api/call.ts";
import { markUnsaved } from "#lib/drafts/unsavedChanges.ts";
import {
  changedFields,
  mergeChanges,
  type RebasedEdits,
  rebaseEdits,
  type Stored,
} from "./conflict/merge.ts";
import { useDraft } from "./drafts/useDraft.ts";
import { errorsShownAt, inOrder, shownAt } from "./errorPaths.ts";

type Values = Record<string, unknown>;

type Options<V extends Values, R> = {
  /** The draft's name: one per form and record, such as `apps-create`. */
  draft: string;
  schema: z.ZodType;
  /** Fields whose parts have their own inputs and errors. */
  parted?: readonly (keyof V & string)[];
  stored: Stored<V>;
  /** Form values of a record from the server. */
  valuesOf: (record: R) => Stored<V>;
  /** The idempotency key stays the same for the same body. */
  save: (values: V, sending: { version: number; key: string }) => Promise<R>;
  onSaved: (record: R) => void;
};

/** Assigns the server's errors to fields; the others are shown above the form. */
const errorsFrom = (error: CallError, values: Values, parted: readonly string[]) => {
  const fields: FormErrors = {};
  const others: string[] = [];
  for (const { in: part, pointer, message } of error.problem.errors ?? []) {
    const [field = "", ...rest] = pointer.split("/").slice(1);
    if (part === "body" && field in values)
      fields[shownAt([field, ...rest].join("."), parted)] = message;
    else others.push(t`${field}: ${message}`);
  }
  if (Object.keys(fields).length === 0 && others.length === 0) others.push(error.message);
  return { fields, others };
};

/** Errors of a form, by field and in general. */
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
    /** Whether saving found the errors, not just leaving a field. */
    wasRefused,
    /** The server's refusal, if there is one. */
    error,
    focus,
    show: (fields: FormErrors, others: string[], by: CallError | null = null) => {
      setError(by);
      form.setErrors(fields);
      setRefusals(others);
      setWasRefused(true);
      const [first] = inOrder(Object.keys(form.values), fields);
      // After rendering, so that screen readers announce the field with its error.
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

/** Ignores a second call while the first is running. */
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

/** One idempotency key per body, so that a retry after a lost answer changes nothing twice. */
export const useIdempotencyKey = () => {
  const last = useRef({ body: "", key: "" });
  return (body: Values) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: crypto.randomUUID() };
    return last.current.key;
  };
};

/** Whether leaving loses changes. Saved changes may be left before the form has been updated. */
export const useUnsavedMark = (isDirty: boolean) => {
  const saved = useRef(false);
  useEffect(() => {
    if (!isDirty) return;
    saved.current = false;
    return markUnsaved();
  }, [isDirty]);
  return {
    isUnsaved: () => isDirty && !saved.current,
    markSaved: () => {
      saved.current = true;
    },
  };
};

type Opened<V extends Values> = Pick<Options<V, never>, "schema" | "stored" | "parted">;

/** Our values, the stored record, and the open conflict. */
const useRecordValues = <V extends Values>(opened: Opened<V>) => {
  const [stored, setStored] = useState(opened.stored);
  const [conflict, setConflict] = useState<RebasedEdits<V> | null>(null);
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
    /** Makes this state of the record the base of comparison. */
    goOnFrom: (current: Stored<V>, values: V) => {
      setConflict(null);
      errors.clear();
      setStored(current);
      form.setValues(values);
    },
  };
};

/**
 * State of a record form: changes, errors and saving once. A save that meets another user's change
 * is merged; only fields changed by both open the conflict dialog.
 */
export const useRecordForm = <V extends Values, R>(options: Options<V, R>) => {
  const { valuesOf, save, onSaved } = options;
  const { setConflict, goOnFrom, ...record } = useRecordValues<V>(options);
  const { form, errors, stored, isDirty, conflict } = record;
  const { busy, once } = useOnce();
  const keyFor = useIdempotencyKey();
  const { isUnsaved, markSaved } = useUnsavedMark(isDirty);
  const draft = useDraft(options.draft, {
    stored,
    values: form.values,
    isDirty,
    takeUp: (meeting: RebasedEdits<V>) =>
      meeting.clashes.length > 0 ? setConflict(meeting) : goOnFrom(meeting.current, meeting.merged),
  });

  const send = async (body: V, base: Stored<V>): Promise<boolean> => {
    const before = form.getValues();
    try {
      const saved = await save(body, { version: base.version, key: keyFor(body) });
      const next = valuesOf(saved);
      // Edits made during the request are kept as unsaved changes.
      const { merged } = mergeChanges(before, form.getValues(), next.values);
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
    const meeting = rebaseEdits(base, mine, theirs);
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
    /** Resolves to whether it was saved. */
    submit: () =>
      once(async () => (stored.version > 0 && !isDirty) || sendIfRight(form.values, stored)),
    /** Saves the resolved conflict. Validation errors are shown in the form. */
    resolve: (mix: V) =>
      once(async () => {
        if (!conflict) return false;
        goOnFrom(conflict.current, mix);
        return sendIfRight(mix, conflict.current);
      }),
    /** Includes fields that only they changed. */
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
