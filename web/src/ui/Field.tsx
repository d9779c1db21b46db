import { type ComponentProps, useId } from "react";

type Props = Omit<ComponentProps<"input">, "id"> & { label: string; name: string; hint?: string };

export const Field = ({ label, hint, ...input }: Props) => {
  const id = useId();
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input id={id} {...input} {...(hint && { "aria-describedby": `${id}-hint` })} />
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </p>
  );
};
