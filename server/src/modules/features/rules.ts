import type { App } from "@purser/contract/apps/fields";
import type { Feature, FeatureDetails } from "@purser/contract/features/fields";
import { isCounted, type Option } from "@purser/contract/fields/values";
import type { FieldError } from "@purser/contract/http/problem";
import type { Message } from "@purser/contract/messages/message";
import { fieldError } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

type Refusal = {
  code: "frozen" | "wrong_state" | "in_use";
  detail: Message;
  errors?: FieldError[];
};

export const refusalToCreate = ({ status }: Pick<App, "status">): Refusal | null => {
  if (status !== "archived") return null;
  const detail = message(
    "app_archived_features",
    "This app is archived. Restore it to create features.",
  );
  return { code: "wrong_state", detail, errors: [fieldError("/appId", detail)] };
};

type Promised = Pick<
  FeatureDetails,
  "code" | "kind" | "unit" | "reset" | "anchor" | "combining"
> & {
  options: readonly Option[];
};
type Stored = Promised &
  Pick<Feature, "status" | "frozen" | "packages"> & { usedOptions: readonly string[] };

type Frozen = { field: keyof Promised; detail: Message };

const isSame = {
  code: (one, other) => one.code === other.code,
  kind: (one, other) => one.kind === other.kind,
  unit: (one, other) => one.unit?.one === other.unit?.one && one.unit?.many === other.unit?.many,
  reset: (one, other) => one.reset === other.reset,
  anchor: (one, other) => one.anchor === other.anchor,
  combining: (one, other) => one.combining === other.combining,
} satisfies Partial<Record<keyof Promised, (one: Promised, other: Promised) => boolean>>;

const fieldFrozen = {
  code: message(
    "feature_code_frozen",
    "The code can't be changed because a published package includes this feature. Create a new feature instead.",
  ),
  kind: message(
    "feature_kind_frozen",
    "The type can't be changed because a published package includes this feature. Create a new feature instead.",
  ),
  unit: message(
    "feature_unit_frozen",
    "The unit can't be changed because a published package includes this feature. Create a new feature instead.",
  ),
  reset: message(
    "feature_reset_frozen",
    "The reset interval can't be changed because a published package includes this feature. Create a new feature instead.",
  ),
  anchor: message(
    "feature_anchor_frozen",
    "The start of its periods can't be changed because a published package includes this feature. Create a new feature instead.",
  ),
  combining: message(
    "feature_combining_frozen",
    "The rule for several packages can't be changed because a published package includes this feature. Create a new feature instead.",
  ),
} satisfies Record<keyof typeof isSame, Message>;

const frozenFields = (stored: Stored, next: Promised): Frozen[] =>
  (Object.keys(isSame) as (keyof typeof isSame)[])
    .filter((field) => stored.frozen && !isSame[field](stored, next))
    .map((field) => ({ field, detail: fieldFrozen[field] }));

/** The values in drafts must stay valid; both counted kinds accept the same values. */
const frozenKind = (stored: Stored, next: Promised): Frozen[] =>
  stored.frozen ||
  stored.packages === 0 ||
  stored.kind === next.kind ||
  (isCounted(stored) && isCounted(next))
    ? []
    : [
        {
          field: "kind",
          detail: message(
            "feature_kind_in_drafts",
            "{packages, plural, one {The draft of # package includes} other {The drafts of # packages include}} this feature. Remove it from there before you change its type.",
            { packages: stored.packages },
          ),
        },
      ];

const frozenOptions = (stored: Stored, next: Promised): Frozen[] => {
  if (stored.kind !== "choice" || next.kind !== "choice") return [];
  const used = stored.options.filter(({ code }) => stored.usedOptions.includes(code));
  const kept = next.options.filter(({ code }) => stored.usedOptions.includes(code));
  const missing = used.filter(({ code }) => !kept.some((one) => one.code === code));
  const namesOf = (options: Promised["options"]) => options.map(({ name }) => name);
  if (missing.length > 0)
    return [
      {
        field: "options",
        detail: message(
          "feature_options_used",
          "Packages use {options}, so {count, plural, one {this option} other {these options}} can't be removed. You can rename options and add others.",
          { options: namesOf(missing), count: missing.length },
        ),
      },
    ];
  if (used.every(({ code }, index) => kept[index]?.code === code)) return [];
  return [
    {
      field: "options",
      detail: message(
        "feature_options_order",
        "Packages use {options}. Keep them in this order, from lowest to highest.",
        { options: namesOf(used) },
      ),
    },
  ];
};

/** The fields that a change would break for packages, each with the reason. */
export const frozenBy = (stored: Stored, next: Promised): Frozen[] => [
  ...frozenFields(stored, next),
  ...frozenKind(stored, next),
  ...frozenOptions(stored, next),
];

/** What a published package relies on can't change. */
export const refusalToChange = (stored: Stored, next: Promised): Refusal | null => {
  if (stored.status === "archived")
    return {
      code: "wrong_state",
      detail: message("feature_archived", "This feature is archived. Restore it to make changes."),
    };
  const frozen = frozenBy(stored, next);
  const [first] = frozen;
  if (!first) return null;
  const errors = frozen.map(({ field, detail }) => fieldError(`/${field}`, detail));
  return { code: "frozen", detail: first.detail, errors };
};

/** A feature that was in use is archived instead of deleted. */
export const refusalToDelete = (
  stored: Pick<Feature, "status" | "frozen" | "packages">,
  isGranted: boolean,
): Refusal | null => {
  if (stored.status !== "draft")
    return {
      code: "wrong_state",
      detail: message(
        "feature_not_draft",
        "Only drafts can be deleted. Archive the feature instead.",
      ),
    };
  if (stored.frozen)
    return {
      code: "in_use",
      detail: message(
        "feature_published",
        "A published package includes this feature. Activate and archive it instead.",
      ),
    };
  if (stored.packages > 0)
    return {
      code: "in_use",
      detail: message(
        "feature_in_drafts",
        "{packages, plural, one {The draft of # package includes} other {The drafts of # packages include}} this feature. Remove it from there first.",
        { packages: stored.packages },
      ),
    };
  if (isGranted)
    return {
      code: "in_use",
      detail: message(
        "feature_granted_delete",
        "A customer was granted this feature. Activate and archive it instead.",
      ),
    };
  return null;
};
