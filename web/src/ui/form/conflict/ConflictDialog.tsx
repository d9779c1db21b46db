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
  one: string;
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
        <th colSpan={4}>Only one of you changed these, so both are kept</th>
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
            <td className="softer" data-label="When you opened it">
              {shownValue(words, field, base)}
            </td>
            <td data-label="Yours">{isMine ? kept : <span className="softer">unchanged</span>}</td>
            <td data-label="Theirs">{isMine ? <span className="softer">unchanged</span> : kept}</td>
          </tr>
        );
      })}
    </>
  );
};

const Mix = <V extends Values>({
  conflict,
  record,
  words,
  one,
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
      title={`Somebody saved this ${one} before you`}
      fact="It changed while you were editing. Choose field by field."
      sign={{ icon: "git-compare", tone: "warn" }}
      size={720}
      foot={
        <>
          <Button variant="subtle" onClick={record.keepEditing}>
            Keep editing
          </Button>
          <span className="spacer" />
          <Button variant="default" onClick={() => record.resolve(mixOf(() => "theirs"))}>
            Take theirs for all
          </Button>
          <Button
            disabled={!isDecided}
            onClick={() => record.resolve(mixOf((field) => picked[field] ?? "mine"))}
          >
            Save this mix
          </Button>
        </>
      }
    >
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">When you opened it</th>
            <th scope="col">Yours</th>
            <th scope="col">Theirs</th>
          </tr>
        </thead>
        <tbody>
          {clashes.map((field, place) => (
            <tr key={field}>
              <th scope="row">{words[field].label}</th>
              <td className="softer" data-label="When you opened it">
                {shownValue(words, field, base)}
              </td>
              {(["mine", "theirs"] as const).map((side) => (
                <td key={side} data-label={side === "mine" ? "Yours" : "Theirs"}>
                  <label className="conflict-choice">
                    <input
                      type="radio"
                      name={field}
                      aria-label={`${words[field].label}: ${side === "mine" ? "yours" : "theirs"}, ${shownValue(words, field, sides[side])}`}
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
