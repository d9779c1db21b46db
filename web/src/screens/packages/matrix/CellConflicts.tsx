import { t } from "@lingui/core/macro";
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
  const value = contentLabels(feature, clash[side]);
  const { name } = feature;
  return (
    <label className="conflict-choice">
      <input
        type="radio"
        name={feature.id}
        aria-label={side === "mine" ? t`${name}, yours: ${value}` : t`${name}, theirs: ${value}`}
        checked={picked === side}
        onChange={onPick}
        {...(isFirst && { "data-autofocus": true })}
      />
      <span>{value}</span>
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
      title={t`Someone else changed the same values`}
      fact={t`They saved while you were editing. Choose a value for each feature.`}
      sign={{ icon: "git-compare", tone: "warn" }}
      size={720}
      foot={
        <>
          <Button variant="subtle" onClick={onClose}>
            {t`Keep editing`}
          </Button>
          <span className="spacer" />
          <Button variant="default" onClick={() => onSettle(all("theirs"))}>
            {t`Use their version`}
          </Button>
          <Button disabled={!isDecided} onClick={() => onSettle(picked)}>
            {t`Save my choices`}
          </Button>
        </>
      }
    >
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{t`Feature`}</th>
            <th scope="col">{t`Before`}</th>
            <th scope="col">{t`Yours`}</th>
            <th scope="col">{t`Theirs`}</th>
          </tr>
        </thead>
        <tbody>
          {clashes.map((clash, place) => (
            <tr key={clash.feature.id}>
              <th scope="row">{clash.feature.name}</th>
              <td className="softer" data-label={t`Before`}>
                {contentLabels(clash.feature, clash.was)}
              </td>
              {sides.map((side) => (
                <td key={side} data-label={side === "mine" ? t`Yours` : t`Theirs`}>
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
