import { type ReactNode, type SubmitEvent, startTransition, useActionState } from "react";
import { Refusal } from "#lib/refusal.ts";

type Read = (name: string) => string;

type Props = {
  button: string;
  /** What to do with the fields; a refusal that it throws is told below them. */
  onSubmit: (read: Read) => Promise<void>;
  children?: ReactNode;
};

/** A form keeps what was typed until what it does has worked, and the focus also then. */
export const Form = ({ button, onSubmit, children }: Props) => {
  const [refusal, send, pending] = useActionState(
    async (_: Refusal | null, form: HTMLFormElement): Promise<Refusal | null> => {
      const fields = new FormData(form);
      try {
        await onSubmit((name) => String(fields.get(name) ?? ""));
        form.reset();
        return null;
      } catch (error) {
        if (error instanceof Refusal) return error;
        throw error;
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
    <form onSubmit={submit} aria-busy={pending}>
      {children}
      {refusal && !pending && <p role="alert">{refusal.message}</p>}
      <p>
        {/* Not disabled meanwhile: that would take the focus away from it. */}
        <button type="submit" aria-disabled={pending}>
          {button}
        </button>
      </p>
    </form>
  );
};
