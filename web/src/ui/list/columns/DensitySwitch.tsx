import { t } from "@lingui/core/macro";
import { type Density, densities } from "@purser/contract/workspace/preferences";
import { densityLabels, updatePreferences, usePreferences } from "#lib/session/preferences.ts";
import { attempt } from "#ui/popups/toast.ts";

type Dense = { name: string; density?: Density };

/** The row height of a list: chosen for this list, its default, or the one of the preferences. */
export const useDensity = ({ name, density: usual }: Dense) => {
  const { densities: chosen, density } = usePreferences();
  return chosen[name] ?? usual ?? density;
};

export const DensitySwitch = ({ list }: { list: Dense }) => {
  const density = useDensity(list);
  return (
    <fieldset className="segments">
      <legend className="unseen">{t`Row height`}</legend>
      {densities.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={density === one}
          onClick={() => attempt(() => updatePreferences({ densities: { [list.name]: one } }))}
        >
          {densityLabels[one]}
        </button>
      ))}
    </fieldset>
  );
};
