import { plural, t } from "@lingui/core/macro";
import { Button, TextInput } from "@mantine/core";
import { useRef } from "react";
import { permissionNames } from "#lib/labels/permissions.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "#ui/Icon.tsx";
import { appsOf, isIncluded } from "#ui/matrix/sheet/cells.ts";
import type { RowFilter } from "#ui/matrix/sheet/rows.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { PageHead } from "#ui/page/Page.tsx";
import { attempt } from "#ui/popups/toast.ts";
import { Status } from "#ui/Status.tsx";
import type { Package } from "../queries.ts";
import { addApp } from "./actions.ts";
import { AddApp } from "./MatrixToolbar.tsx";
import type { MatrixPage } from "./useMatrixPage.ts";

/** Why the matrix is read-only; null if it can be edited. */
export const lockOf = (pack: Package, mayWrite: boolean): string | null => {
  const needed = permissionNames["packages:write"];
  if (!mayWrite) return t`You can't edit this. Ask an owner for the permission “${needed}”.`;
  if (pack.status === "archived") return t`This package is archived. Restore it to edit it.`;
  if (pack.draft) return null;
  const shown = pack.scheduled ?? pack.onSale;
  if (!shown) return t`This package has no draft. Create one to edit it.`;
  const { number } = shown;
  return t`Version ${number} can't be edited. Create a draft to change it.`;
};

const draftLabel = (number: number) => t`Draft of version ${number}`;
const lockedLabel = (number: number) => t`Version ${number}`;

const statusOf = ({ draft, scheduled, onSale }: Package) => {
  if (draft)
    return {
      word: draftLabel(draft.number),
      icon: "circle-dashed",
      tone: "mute",
    } as const;
  const shown = scheduled ?? onSale;
  return {
    word: shown ? lockedLabel(shown.number) : t`No version`,
    icon: "lock",
    tone: "mute",
  } as const;
};

type Props = {
  page: MatrixPage;
  mayEdit: boolean;
  narrowing: RowFilter;
  onNarrow: (narrowing: RowFilter) => void;
  onJump: (feature: string | null) => void;
};

export const MatrixHead = ({ page, mayEdit, narrowing, onNarrow, onJump }: Props) => {
  const { sheet, store, changes } = page;
  const { package: own } = sheet.matrix;
  const { name } = own;
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([
    {
      keys: "/",
      does: t`Find a feature`,
      group: "records",
      run: () => field.current?.focus(),
    },
  ]);
  const isIn = ({ id }: { id: string }) =>
    appsOf(sheet).some((app) => app.id === id && isIncluded(sheet, app));
  return (
    <PageHead
      title={t`Apps and features of ${name}`}
      parent={[
        { label: t`Packages`, to: "/package" },
        { label: own.name, to: "/package/view/$id", params: { id: own.id } },
      ]}
      meta={
        <>
          <Status status={statusOf(own)} loud />
          {changes > 0 && (
            <button
              type="button"
              className="unsaved"
              onClick={() => onNarrow({ find: "", onlyChanged: true, onlyDifferences: false })}
            >
              {plural(changes, { one: "# unsaved change", other: "# unsaved changes" })}
              <span className="unseen">{t`Show changes`}</span>
            </button>
          )}
        </>
      }
      actions={
        <>
          <TextInput
            ref={field}
            type="search"
            className="matrix-find"
            aria-label={t`Find a feature`}
            placeholder={t`Find a feature`}
            leftSection={<Icon name="search" />}
            value={narrowing.find}
            onChange={({ currentTarget }) => onNarrow({ ...narrowing, find: currentTarget.value })}
          />
          {mayEdit && (
            <AddApp
              isIn={isIn}
              onAdd={(app) => void attempt(async () => onJump(await addApp(store, app)))}
            />
          )}
        </>
      }
    />
  );
};

type LockProps = { reason: string; onStart: (() => void) | null };

/** Why the matrix is read-only, and how to edit it. */
export const Lock = ({ reason, onStart }: LockProps) => (
  <Callout tone="info" icon="lock" role="status">
    <p>{reason}</p>
    {onStart && (
      <Button size="xs" variant="default" onClick={onStart}>
        {t`Create draft`}
      </Button>
    )}
  </Callout>
);
