import { t } from "@lingui/core/macro";
import { Icon } from "#ui/Icon.tsx";

const steps = [
  { id: "upload", label: t`Upload` },
  { id: "map", label: t`Map columns` },
  { id: "preview", label: t`Preview` },
  { id: "import", label: t`Import` },
] as const;
export type Step = (typeof steps)[number]["id"];

/** Where the user is on the way from a file to imported rows. */
export const Steps = ({ current, isDone = false }: { current: Step; isDone?: boolean }) => {
  const place = steps.findIndex(({ id }) => id === current);
  return (
    <ol className="import-steps" aria-label={t`Steps`}>
      {steps.map(({ id, label }, index) => {
        const isPast = isDone || index < place;
        return (
          <li
            key={id}
            data-state={isPast ? "past" : undefined}
            {...(index === place && { "aria-current": "step" as const })}
          >
            <span className="import-step-sign">
              {isPast ? <Icon name="check" size={14} /> : index + 1}
            </span>
            {label}
          </li>
        );
      })}
    </ol>
  );
};
