import { Button } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { contentLabels } from "#ui/matrix/sheet/labels.ts";
import type { CellConflict, Side } from "#ui/matrix/sheet/mergeRemote.ts";

type Props = {
  clashes: readonly CellConflict[];
  onSettle: (sides: ReadonlyMap<string, Side>) => void;
  onClose: () => void;
};

const sides = ["mine", "theirs"] as const;

const Choice = ({
  clash,
  side,
  picked,
  onPick,
  isFirst,
}: {
  clash: CellConflict;
  side: Side;
  picked: Side | undefined;
  onPick: () => void;
  isFirst: boolean;
}) => {
  const { feature } = clash;
  const words = contentLabels(feature, clash[side]);
  const whose = side === "mine" ? "yours" : "theirs";
  return (
    <label className="conflict-choice">
      <input
        type="radio"
        name={feature.id}
        aria-label={`${feature.name}: ${whose}, ${words}`}
        checked={picked === side}
        onChange={onPick}
        {...(isFirst && { "data-autofocus": true })}
      />
      <span>{words}</span>
    </label>
  );
};

/** Resolves cells that both users changed; everything else is saved as it is. */
export const CellConflicts = ({ clashes, onSettle, onClose }: Props) => {
  const [picked, setPicked] = useState<ReadonlyMap<string, Side>>(new Map());
  const all = (side: Side) => new Map(clashes.map(({ feature }) => [feature.id, side]));
  const isDecided = clashes.every(({ feature }) => picked.has(feature.id));
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Somebody changed the same values"
      fact="They saved while you were editing. Choose value by value."
      sign={{ icon: "git-compare", tone: "warn" }}
      size={720}
      foot={
        <>
          <Button variant="subtle" onClick={onClose}>
            Keep editing
          </Button>
          <span className="spacer" />
          <Button variant="default" onClick={() => onSettle(all("theirs"))}>
            Take theirs for all
          </Button>
          <Button disabled={!isDecided} onClick={() => onSettle(picked)}>
            Save this mix
          </Button>
        </>
      }
    >
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">When you read it</th>
            <th scope="col">Yours</th>
            <th scope="col">Theirs</th>
          </tr>
        </thead>
        <tbody>
          {clashes.map((clash, place) => (
            <tr key={clash.feature.id}>
              <th scope="row">{clash.feature.name}</th>
              <td className="softer" data-label="When you read it">
                {contentLabels(clash.feature, clash.was)}
              </td>
              {sides.map((side) => (
                <td key={side} data-label={side === "mine" ? "Yours" : "Theirs"}>
                  <Choice
                    clash={clash}
                    side={side}
                    picked={picked.get(clash.feature.id)}
                    onPick={() => setPicked(new Map(picked).set(clash.feature.id, side))}
                    isFirst={place === 0 && side === "mine"}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
};
