import type { App } from "@purser/contract/apps/fields";
import type { Feature, FeatureDetails, FeatureStatus } from "@purser/contract/features/fields";
import type { Option } from "@purser/contract/fields/values";
import type { FieldError } from "@purser/contract/http/problem";

type Refusal = {
  code: "frozen" | "wrong_state" | "in_use" | "not_found" | "stale_version";
  detail: string;
  errors?: FieldError[];
};

/** The one way through a feature's life: draft, then active and archived in turn. */
export const nextStatus = { activate: "active", archive: "archived", restore: "active" } as const;
const fromStatus = { activate: "draft", archive: "active", restore: "archived" } as const;
export type Act = keyof typeof nextStatus;

const needed = {
  activate: "Only a draft can be activated.",
  archive: "Only an active feature can be archived.",
  restore: "Only an archived feature can be restored.",
} satisfies Record<Act, string>;

/** The status after the act, or why it cannot be done. */
export const statusAfter = (status: FeatureStatus, act: Act): FeatureStatus | Refusal =>
  status === fromStatus[act]
    ? nextStatus[act]
    : { code: "wrong_state", detail: `${needed[act]} This one is ${status}.` };

/** Why somebody who saw that version may not act on the feature, or null. */
export const refusalToAct = (
  stored: Pick<Feature, "status" | "version"> | undefined,
  act: Act,
  versionSeen: number,
): Refusal | null => {
  if (!stored)
    return {
      code: "not_found",
      detail: "There is no feature with this id. It may have been deleted.",
    };
  if (stored.version !== versionSeen)
    return {
      code: "stale_version",
      detail: "Somebody saved it since you read it. Look at it again, then decide.",
    };
  const next = statusAfter(stored.status, act);
  return typeof next === "string" ? null : next;
};

/** Why no feature may be made in the app, or null. */
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

const heldAt = (field: keyof Promised, message: string): FieldError => ({
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
      heldAt(
        field,
        `A published package has this feature, so its ${field} stays. Create another feature instead.`,
      ),
    );

const isCounted = ({ kind }: Pick<Promised, "kind">) => kind === "limit" || kind === "metered";

const draftsHaving = (packages: number) =>
  packages === 1
    ? "The draft of a package has this feature."
    : `The drafts of ${packages} packages have this feature.`;

/** Values of drafts must go on fitting, too; both counted kinds have the same ones. */
const kindErrors = (stored: Stored, next: Promised) =>
  stored.frozen ||
  stored.packages === 0 ||
  stored.kind === next.kind ||
  (isCounted(stored) && isCounted(next))
    ? []
    : [heldAt("kind", `${draftsHaving(stored.packages)} Take it out before you change its kind.`)];

const optionErrors = (stored: Stored, next: Promised) => {
  if (stored.kind !== "choice" || next.kind !== "choice") return [];
  const used = stored.options.filter(({ code }) => stored.usedOptions.includes(code));
  const kept = next.options.filter(({ code }) => stored.usedOptions.includes(code));
  const missing = used.filter(({ code }) => !kept.some((one) => one.code === code));
  const namesOf = (options: Promised["options"]) =>
    options.map(({ name }) => `"${name}"`).join(", ");
  if (missing.length > 0)
    return [
      heldAt(
        "options",
        `Packages give ${namesOf(missing)}. Put it back; you may rename it and add others.`,
      ),
    ];
  if (used.every(({ code }, index) => kept[index]?.code === code)) return [];
  return [
    heldAt(
      "options",
      `Packages give ${namesOf(used)}, and the last one is the most. Keep them in this order.`,
    ),
  ];
};

/** Why these details may not replace the stored ones, or null. What a package promises stays. */
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

/** Why the feature may not be deleted, or null. What people were promised is archived, never deleted. */
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
