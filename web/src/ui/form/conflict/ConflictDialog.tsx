import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { Icon } from "#ui/Icon.tsx";
import { type FormLabels, shownValue } from "../Field.tsx";
import type { RecordForm } from "../useRecordForm.ts";
import type { RebasedEdits } from "./merge.ts";

type Values = Record<string, unknown>;

type Props<V extends Values> = {
  record: RecordForm<V>;
  words: FormLabels<V>;
};

const Kept = <V extends Values>({
  conflict,
  words,
}: {
  conflict: RebasedEdits<V>;
  words: FormLabels<V>;
}) => {
  const { base, merged, mine, theirs } = conflict;
  const fields = [...theirs, ...mine];
  if (fields.length === 0) return null;
  return (
    <>
      <tr className="conflict-kept">
        <th colSpan={4}>{t`Changed by only one of you, so these are kept`}</th>
      </tr>
      {fields.map((field) => {
        const kept = (
          <>
            <Icon name="check" size={14} />
            {shownValue(words, field, merged)}
          </>
        );
        const isMine = mine.includes(field);
        return (
          <tr key={field}>
            <th scope="row">{words[field].label}</th>
            <td className="softer" data-label={t`When you opened it`}>
              {shownValue(words, field, base)}
            </td>
            <td data-label={t`Yours`}>
              {isMine ? kept : <span className="softer">{t`unchanged`}</span>}
            </td>
            <td data-label={t`Theirs`}>
              {isMine ? <span className="softer">{t`unchanged`}</span> : kept}
            </td>
          </tr>
        );
      })}
    </>
  );
};

const sideNames = { mine: t`Yours`, theirs: t`Theirs` };

const choiceLabels = {
  mine: (field: string, value: string) => t`${field}, yours: ${value}`,
  theirs: (field: string, value: string) => t`${field}, theirs: ${value}`,
};

const Mix = <V extends Values>({
  conflict,
  record,
  words,
}: Props<V> & { conflict: RebasedEdits<V> }) => {
  const { base, merged, clashes, current } = conflict;
  const [picked, setPicked] = useState<Record<string, "mine" | "theirs">>({});
  const sides = { mine: merged, theirs: current.values };
  const mixOf = (choose: (field: string) => "mine" | "theirs") => {
    const mix: V = { ...merged };
    for (const field of clashes) mix[field] = sides[choose(field)][field];
    return mix;
  };
  const isDecided = clashes.every((field) => picked[field]);
  return (
    <Dialog
      opened
      onClose={record.keepEditing}
      title={t`Someone else saved changes`}
      fact={t`These fields changed while you were editing. Choose which values to keep.`}
      sign={{ icon: "git-compare", tone: "warn" }}
      size={720}
      foot={
        <>
          <Button variant="subtle" onClick={record.keepEditing}>
            {t`Keep editing`}
          </Button>
          <span className="spacer" />
          <Button variant="default" onClick={() => record.resolve(mixOf(() => "theirs"))}>
            {t`Use their version`}
          </Button>
          <Button
            disabled={!isDecided}
            onClick={() => record.resolve(mixOf((field) => picked[field] ?? "mine"))}
          >
            {t`Save my choices`}
          </Button>
        </>
      }
    >
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{t`Field`}</th>
            <th scope="col">{t`When you opened it`}</th>
            <th scope="col">{t`Yours`}</th>
            <th scope="col">{t`Theirs`}</th>
          </tr>
        </thead>
        <tbody>
          {clashes.map((field, place) => (
            <tr key={field}>
              <th scope="row">{words[field].label}</th>
              <td className="softer" data-label={t`When you opened it`}>
                {shownValue(words, field, base)}
              </td>
              {(["mine", "theirs"] as const).map((side) => (
                <td key={side} data-label={sideNames[side]}>
                  <label className="conflict-choice">
                    <input
                      type="radio"
                      name={field}
                      aria-label={choiceLabels[side](
                        words[field].label,
                        shownValue(words, field, sides[side]),
                      )}
                      {...(place === 0 && side === "mine" && { "data-autofocus": true })}
                      checked={picked[field] === side}
                      onChange={() => setPicked({ ...picked, [field]: side })}
                    />
                    <span>{shownValue(words, field, sides[side])}</span>
                  </label>
                </td>
              ))}
            </tr>
          ))}
          <Kept conflict={conflict} words={words} />
        </tbody>
      </table>
    </Dialog>
  );
};

/** Resolves fields that both sides changed. Fields changed by one side are listed as kept. */
export const ConflictDialog = <V extends Values>(props: Props<V>) =>
  props.record.conflict ? <Mix {...props} conflict={props.record.conflict} /> : null;
