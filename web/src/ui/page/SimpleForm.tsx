import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "./SimpleForm.css";
import { Button, type ButtonProps } from "@mantine/core";
import {
  type ReactNode,
  type SubmitEvent,
  startTransition,
  useActionState,
  useEffect,
  useState,
} from "react";
import { RetryLaterError, UserFacingError } from "#lib/api/userFacingError.ts";
import { Callout } from "./Callout.tsx";

/** Counts down to the next allowed attempt. Only start and end are announced. */
const Waiting = ({ until }: { until: number }) => {
  const [left, setLeft] = useState(() => until - Date.now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(until - Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  if (left <= 0) return t`You can try again now.`;
  const seconds = Math.ceil(left / 1000);
  return (
    <Trans>
      Too many attempts. Try again in <span aria-live="off">{seconds} s</span>.
    </Trans>
  );
};

type Read = (name: string) => string;

type Props = {
  button: string;
  look?: ButtonProps;
  /** Handles the fields. A thrown error is shown above them. */
  onSubmit: (read: Read) => Promise<void>;
  /** The field to focus after an error. */
  refused?: string;
  children?: ReactNode;
};

const focusField = (form: HTMLFormElement, name: string | undefined) => {
  const field = name && form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
};

/** A single-step form. Keeps its values until the action succeeded, and keeps the focus. */
export const SimpleForm = ({ button, look, onSubmit, refused, children }: Props) => {
  const [refusal, send, pending] = useActionState(
    async (_: UserFacingError | null, form: HTMLFormElement): Promise<UserFacingError | null> => {
      const fields = new FormData(form);
      try {
        await onSubmit((name) => String(fields.get(name) ?? ""));
        form.reset();
        return null;
      } catch (error) {
        if (!(error instanceof UserFacingError)) throw error;
        focusField(form, refused);
        return error;
      }
    },
    null,
  );

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!pending) startTransition(() => send(form));
  };

  return (
    <form className="simple-form" onSubmit={submit} aria-busy={pending}>
      {refusal && !pending && (
        <Callout tone="bad" icon="alert-circle" role="alert">
          {refusal instanceof RetryLaterError ? <Waiting until={refusal.until} /> : refusal.message}
        </Callout>
      )}
      {children}
      {/* Not disabled while busy, because that would drop the focus. */}
      <Button type="submit" {...look} aria-disabled={pending} data-busy={pending || undefined}>
        {button}
      </Button>
    </form>
  );
};
