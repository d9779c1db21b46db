import { plural, t } from "@lingui/core/macro";
import type { ComponentProps, ReactNode } from "react";
import { Confirm } from "../dialogs/Confirm.tsx";
import { Consequences } from "../dialogs/Dialog.tsx";
import { toast } from "../popups/toast.ts";
import { lifeSteps, onlyOf } from "./lifecycle.tsx";

type Consequence = ComponentProps<typeof Consequences>["of"][number];

const icons = { activate: lifeSteps.draft.icon, archive: lifeSteps.active.icon };
const tones = { activate: "info", archive: "warn" } as const;

const singleTexts = {
  activate: (name: string) => ({ title: t`Activate ${name}?`, button: t`Activate ${name}` }),
  archive: (name: string) => ({ title: t`Archive ${name}?`, button: t`Archive ${name}` }),
};

type StepProps<R, Action extends keyof typeof icons> = {
  action: Action;
  records: R[];
  /** For several records: "Archive 3 apps?" and "Archive 3 apps". */
  many: { title: string; button: string };
  fact?: string;
  actions: Record<Action, (record: R) => Promise<unknown>> & {
    applyToMany: (action: Action, records: R[]) => Promise<unknown>;
  };
  onClose: () => void;
  onDone?: () => void;
  children: ReactNode;
};

/** Confirms activating or archiving one or more records. */
export const ConfirmStep = <R extends { name: string }, Action extends keyof typeof icons>({
  action,
  records,
  many,
  actions,
  ...shown
}: StepProps<R, Action>) => {
  const single = onlyOf(records);
  return (
    <Confirm
      fact={plural(records.length, {
        one: "You can restore it at any time.",
        other: "You can restore them at any time.",
      })}
      {...shown}
      {...(single ? singleTexts[action](single.name) : many)}
      sign={{ icon: icons[action], tone: tones[action] }}
      action={() => (single ? actions[action](single) : actions.applyToMany(action, records))}
    />
  );
};

type DeleteProps = {
  record: { id: string; version: number; name: string };
  /** The text to type before the record can be deleted. */
  typed: string;
  remove: (sent: { params: { id: string }; version: number }) => Promise<unknown>;
  onDeleted: () => void;
  onClose: () => void;
  consequences: Consequence[];
};

/** Confirms deleting a draft. */
export const ConfirmDelete = (props: DeleteProps) => {
  const { record, typed, remove, onDeleted, onClose, consequences } = props;
  const { id, version, name } = record;
  return (
    <Confirm
      onClose={onClose}
      isHard
      typed={typed}
      title={t`Delete ${name}?`}
      sign={{ icon: "trash", tone: "bad" }}
      button={t`Delete ${name}`}
      action={async () => {
        await remove({ params: { id }, version });
        toast(t`${name} deleted`);
        onDeleted();
      }}
    >
      <p>{t`This can't be undone. The audit log keeps its history.`}</p>
      <Consequences of={consequences} />
    </Confirm>
  );
};
