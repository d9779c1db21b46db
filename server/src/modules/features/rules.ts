import type { App } from "@purser/contract/apps/fields";
import type { Feature, FeatureDetails } from "@purser/contract/features/fields";
import type { Option } from "@purser/contract/fields/values";
import type { FieldError } from "@purser/contract/http/problem";

type Refusal = {
  code: "frozen" | "wrong_state" | "in_use";
  detail: string;
  errors?: FieldError[];
};

export const refusalToCreate = ({ status }: Pick<App, "status">): Refusal | null => {
  if (status !== "archived") return null;
  const detail = "An archived app takes no new features. Restore it first.";
  const errors: FieldError[] = [
    { in: "body", pointer: "/appId", code: "wrong_state", message: detail },
  ];
  return { code: "wrong_state", detail, errors };
};

type Promised = Pick<FeatureDetails, "code" | "kind" | "unit" | "reset" | "combining"> & {
  options: readonly Option[];
};
type Stored = Promised &
  Pick<Feature, "status" | "frozen" | "packages"> & { usedOptions: readonly string[] };

const frozenAt = (field: keyof Promised, message: string): FieldError => ({
  in: "body",
  pointer: `/${field}`,
  code: "frozen",
  message,
});

const isSame = {
  code: (one, other) => one.code === other.code,
  kind: (one, other) => one.kind === other.kind,
  unit: (one, other) => one.unit?.one === other.unit?.one && one.unit?.many === other.unit?.many,
  reset: (one, other) => one.reset === other.reset,
  combining: (one, other) => one.combining === other.combining,
} satisfies Partial<Record<keyof Promised, (one: Promised, other: Promised) => boolean>>;

const frozenErrors = (stored: Stored, next: Promised) =>
  (Object.keys(isSame) as (keyof typeof isSame)[])
    .filter((field) => stored.frozen && !isSame[field](stored, next))
    .map((field) =>
      frozenAt(
        field,
        `A published package has this feature, so its ${field} stays. Create another feature instead.`,
      ),
    );

const isCounted = ({ kind }: Pick<Promised, "kind">) => kind === "limit" || kind === "metered";

const draftsHaving = (packages: number) =>
  packages === 1
    ? "The draft of a package has this feature."
    : `The drafts of ${packages} packages have this feature.`;

/** The values in drafts must stay valid; both counted kinds accept the same values. */
const kindErrors = (stored: Stored, next: Promised) =>
  stored.frozen ||
  stored.packages === 0 ||
  stored.kind === next.kind ||
  (isCounted(stored) && isCounted(next))
    ? []
    : [
        frozenAt(
          "kind",
          `${draftsHaving(stored.packages)} Take it out before you change its kind.`,
        ),
      ];

const optionErrors = (stored: Stored, next: Promised) => {
  if (stored.kind !== "choice" || next.kind !== "choice") return [];
  const used = stored.options.filter(({ code }) => stored.usedOptions.includes(code));
  const kept = next.options.filter(({ code }) => stored.usedOptions.includes(code));
  const missing = used.filter(({ code }) => !kept.some((one) => one.code === code));
  const namesOf = (options: Promised["options"]) =>
    options.map(({ name }) => `"${name}"`).join(", ");
  if (missing.length > 0)
    return [
      frozenAt(
        "options",
        `Packages give ${namesOf(missing)}. Put it back; you may rename it and add others.`,
      ),
    ];
  if (used.every(({ code }, index) => kept[index]?.code === code)) return [];
  return [
    frozenAt(
      "options",
      `Packages give ${namesOf(used)}, and the last one is the most. Keep them in this order.`,
    ),
  ];
};

/** What a published package relies on can't change. */
export const refusalToChange = (stored: Stored, next: Promised): Refusal | null => {
  if (stored.status === "archived")
    return {
      code: "wrong_state",
      detail: "An archived feature cannot be changed. Restore it first.",
    };
  const errors = [
    ...frozenErrors(stored, next),
    ...kindErrors(stored, next),
    ...optionErrors(stored, next),
  ];
  const [first, ...others] = errors;
  if (!first) return null;
  const more = others.length > 0 ? ` ${others.length} more cannot change.` : "";
  return { code: "frozen", detail: `${first.message}${more}`, errors };
};

/** A feature that was in use is archived instead of deleted. */
export const refusalToDelete = (
  stored: Pick<Feature, "status" | "frozen" | "packages">,
  isGranted: boolean,
): Refusal | null => {
  if (stored.status !== "draft")
    return {
      code: "wrong_state",
      detail: "Only a draft can be deleted. Archive the feature instead.",
    };
  if (stored.frozen)
    return {
      code: "in_use",
      detail: "A published package has this feature. Activate and archive it instead.",
    };
  if (stored.packages > 0)
    return { code: "in_use", detail: `${draftsHaving(stored.packages)} Take it out first.` };
  if (isGranted)
    return {
      code: "in_use",
      detail: "Somebody was given this feature. Activate and archive it instead.",
    };
  return null;
};
