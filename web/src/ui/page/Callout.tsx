import type { ReactNode } from "react";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";
import type { Tone } from "../Status.tsx";

type Props = { tone: Tone; icon: IconName; role?: "alert" | "status"; children: ReactNode };

export const Callout = ({ tone, icon, role, children }: Props) => (
  <div className="callout" data-tone={tone} role={role}>
    <Icon name={icon} />
    <div>{children}</div>
  </div>
);

/** Shows why an action failed, next to it. */
export const Refused = ({ refusal }: { refusal: { message: string } | null }) =>
  refusal && (
    <Callout tone="bad" icon="alert-circle" role="alert">
      {refusal.message}
    </Callout>
  );
