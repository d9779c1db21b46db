import { plural, t } from "@lingui/core/macro";
import { changeTransaction, tagTransaction } from "@purser/contract/transactions/endpoints";
import { tagsMax } from "@purser/contract/transactions/fields";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { Consequences } from "#ui/dialogs/Dialog.tsx";
import { TagInput } from "#ui/list/jobs/TagInput.tsx";
import { toast, undoAction } from "#ui/popups/toast.ts";
import { sendEach } from "#ui/record/sendEach.ts";
import { withSkipped } from "#ui/record/skipped.ts";
import { type Transaction, transactionsChanged } from "./queries.ts";

const sendToMany = async (
  rows: Transaction[],
  sendOne: (stored: Transaction) => Promise<Transaction>,
) => {
  const named = rows.map((stored) => ({ ...stored, name: stored.number }));
  const outcome = await sendEach(named, async (stored) => ({
    ...(await sendOne(stored)),
    name: stored.name,
  }));
  await transactionsChanged();
  return outcome;
};

const addTag = async (rows: Transaction[], tag: string) => {
  const { saved, skipped } = await sendToMany(rows, ({ id, version }) =>
    call(tagTransaction, { params: { id }, version, body: { tag } }),
  );
  const removeTag = async () => {
    const undone = await sendToMany(saved, ({ id, version, note, tags }) =>
      call(changeTransaction, {
        params: { id },
        version,
        body: { note, tags: tags.filter((one) => one !== tag) },
      }),
    );
    toast(
      await withSkipped(
        plural(undone.saved.length, {
          one: `Tag removed from # transaction`,
          other: `Tag removed from # transactions`,
        }),
        undone.skipped,
      ),
    );
  };
  toast(
    await withSkipped(
      plural(saved.length, { one: `# transaction tagged`, other: `# transactions tagged` }),
      skipped,
    ),
    saved.length > 0 ? undoAction(removeTag) : undefined,
  );
};

type Props = { rows: Transaction[]; onClose: () => void; onDone: () => void };

/** Adds a tag to the selected transactions that don't have it. */
export const TagDialog = ({ rows, onClose, onDone }: Props) => {
  const [entered, setEntered] = useState<{ tag: string } | null>(null);
  const others = entered ? rows.filter(({ tags }) => !tags.includes(entered.tag)) : rows;
  const open = others.filter(({ tags }) => tags.length < tagsMax);
  return (
    <Confirm
      title={plural(rows.length, {
        one: "Add a tag to # transaction?",
        other: "Add a tag to # transactions?",
      })}
      fact={t`Only visible to your team.`}
      sign={{ icon: "flag", tone: "info" }}
      button={t`Add tag`}
      action={() => (entered ? addTag(open, entered.tag) : Promise.resolve())}
      onClose={onClose}
      onDone={() => {
        onDone();
        onClose();
      }}
      canRun={entered !== null && open.length > 0}
    >
      <TagInput onChange={setEntered} />
      <Consequences
        of={[
          { icon: "flag", what: t`Transactions tagged`, amount: number(open.length) },
          {
            icon: "minus",
            what: t`Unchanged, because they have this tag`,
            amount: number(rows.length - others.length),
          },
          {
            icon: "circle-x",
            what: t`Skipped, because they have too many tags`,
            amount: number(others.length - open.length),
          },
        ]}
      />
    </Confirm>
  );
};
