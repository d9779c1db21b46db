import type { ComponentProps, ReactNode } from "react";
import { Confirm } from "../dialogs/Confirm.tsx";
import { Consequences } from "../dialogs/Dialog.tsx";
import { toast } from "../popups/toast.ts";
import { lifeSteps, meantBy } from "./lifecycle.tsx";

type Consequence = ComponentProps<typeof Consequences>["of"][number];

const steps = { activate: lifeSteps.draft, archive: lifeSteps.active };
const tones = { activate: "info", archive: "warn" } as const;

type StepProps<R, Action extends keyof typeof steps> = {
  action: Action;
  records: R[];
  /** The entity's word, such as "app". */
  one: string;
  fact?: string;
  actions: Record<Action, (record: R) => Promise<unknown>> & {
    applyToMany: (action: Action, records: R[]) => Promise<unknown>;
  };
  onClose: () => void;
  onDone?: () => void;
  children: ReactNode;
};

/** Confirms activating or archiving one or more records. */
export const ConfirmStep = <R extends { name: string }, Action extends keyof typeof steps>({
  action,
  records,
  one,
  actions,
  ...shown
}: StepProps<R, Action>) => {
  const { single, what } = meantBy(records, one);
  const { label, icon } = steps[action];
  return (
    <Confirm
      fact={`${single ? "It leaves" : "They leave"} the catalogue, and can be brought back at any time.`}
      {...shown}
      title={`${label} ${what}?`}
      sign={{ icon, tone: tones[action] }}
      button={`${label} ${what}`}
      act={() => (single ? actions[action](single) : actions.applyToMany(action, records))}
    />
  );
};

type DeleteProps = {
  record: { id: string; version: number; name: string };
  /** The word in the title, such as "app". */
  one: string;
  /** The text to type before the record can be deleted. */
  typed: string;
  remove: (sent: { params: { id: string }; version: number }) => Promise<unknown>;
  onDeleted: () => void;
  onClose: () => void;
  consequences: Consequence[];
};

/** Confirms deleting a draft. */
export const ConfirmDelete = (props: DeleteProps) => {
  const { record, one, typed, remove, onDeleted, onClose, consequences } = props;
  const { id, version, name } = record;
  return (
    <Confirm
      onClose={onClose}
      isHard
      typed={typed}
      title={`Delete the ${one} ${name}?`}
      sign={{ icon: "trash", tone: "bad" }}
      button={`Delete ${name}`}
      act={async () => {
        await remove({ params: { id }, version });
        toast(`${name} is deleted.`);
        onDeleted();
      }}
    >
      <p>This cannot be undone. What goes with it:</p>
      <Consequences
        of={[
          ...consequences,
          { icon: "history", what: "Entries of its history that are lost", amount: "0" },
        ]}
      />
    </Confirm>
  );
};
