import { t } from "@lingui/core/macro";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { deleteImportMapping, saveImportMapping } from "@purser/contract/workspace/importMappings";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { useMe } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import { attempt, toast } from "#ui/popups/toast.ts";
import { type Import, mappingsQuery, type SavedMapping } from "./queries.ts";

type Mapping = readonly (string | null)[];

/** The field of each column that is imported, by the column's name. */
const fieldsOf = ({ columns }: Import, mapping: Mapping) =>
  columns.flatMap(({ name }, place) => {
    const field = mapping[place];
    return field ? [{ column: name, field }] : [];
  });

/** Names of columns are compared without case and spaces, as when they are recognized. */
const plainName = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** The saved fields for the columns of this file. Columns that the mapping doesn't know are skipped. */
const applied = ({ columns }: Import, { fields }: SavedMapping): (string | null)[] => {
  const left = new Map(fields.map(({ column, field }) => [plainName(column), field]));
  return columns.map(({ name }) => {
    const key = plainName(name);
    const field = left.get(key) ?? null;
    // Of two columns with the same name the first one is imported.
    left.delete(key);
    return field;
  });
};

const refresh = (kind: Import["kind"]) =>
  queryClient.invalidateQueries({ queryKey: mappingsQuery(kind).queryKey });

const SaveForm = ({ of, mapping, onDone }: Props & { onDone: () => void }) => {
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<string | null>(null);
  const save = async () => {
    try {
      const fields = fieldsOf(of, mapping);
      await call(saveImportMapping, { body: { kind: of.kind, name: name.trim(), fields } });
    } catch (error) {
      if (!(error instanceof CallError && error.is("taken"))) throw error;
      return setRefusal(t`Another mapping has this name. Choose a different one.`);
    }
    onDone();
    await refresh(of.kind);
    toast(t`Mapping saved for your team`);
  };
  return (
    <form
      className="import-save"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void attempt(save);
      }}
    >
      <TextInput
        label={t`Mapping name`}
        description={t`Everyone who can import sees it.`}
        data-autofocus
        maxLength={80}
        value={name}
        error={refusal}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
          setRefusal(null);
        }}
      />
      <Button type="submit" size="xs" disabled={!name.trim()}>
        {t`Save mapping`}
      </Button>
    </form>
  );
};

const SaveMapping = ({ isComplete, ...props }: Props & { isComplete: boolean }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popup
      kind="dialog"
      label={t`Save mapping`}
      opened={isOpen}
      onClose={() => setOpen(false)}
      place="bottom-start"
      width={280}
      trigger={
        <Button
          variant="default"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          disabled={!isComplete}
          onClick={() => setOpen(!isOpen)}
        >
          {t`Save mapping`}
        </Button>
      }
    >
      {(close) => <SaveForm {...props} onDone={close} />}
    </Popup>
  );
};

type Props = { of: Import; mapping: Mapping };

/** Mappings that the team keeps by name: choose one for this file, or save the current one. */
export const SavedMappings = ({
  onChoose,
  ...props
}: Props & { isComplete: boolean; onChoose: (mapping: (string | null)[]) => void }) => {
  const { of } = props;
  const me = useMe();
  const { data } = useQuery(mappingsQuery(of.kind));
  const [chosenId, setChosenId] = useState("");
  const items = data?.items ?? [];
  const chosen = items.find(({ id }) => id === chosenId);
  const choose = (id: string) => {
    setChosenId(id);
    const found = items.find((one) => one.id === id);
    if (found) onChoose(applied(of, found));
  };
  const remove = async ({ id }: SavedMapping) => {
    await call(deleteImportMapping, { params: { id } });
    setChosenId("");
    await refresh(of.kind);
    toast(t`Mapping deleted`);
  };
  return (
    <div className="import-choose">
      {items.length > 0 && (
        <NativeSelect
          aria-label={t`Saved mapping`}
          value={chosenId}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[
            { value: "", label: t`Choose a saved mapping` },
            ...items.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <SaveMapping {...props} />
      {chosen && (chosen.createdBy.id === me.id || me.role === "owner") && (
        <Button
          variant="default"
          leftSection={<Icon name="trash" />}
          onClick={() => void attempt(() => remove(chosen))}
        >
          {t`Delete mapping`}
        </Button>
      )}
    </div>
  );
};
