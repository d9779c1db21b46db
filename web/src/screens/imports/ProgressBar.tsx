import { percent } from "#lib/intl.ts";
import { rowsText } from "./labels.ts";

type Props = { done: number; of: number; label: string; note?: string | undefined };

export const ProgressBar = ({ done, of, label, note }: Props) => {
  const share = of === 0 ? 1 : Math.min(1, done / of);
  return (
    <div>
      <progress className="import-bar" value={share} max={1} aria-label={label} />
      <p className="import-progress soft">
        <span>
          {percent(share, 0)}, {rowsText(done)}
        </span>
        <span>{note}</span>
      </p>
    </div>
  );
};
