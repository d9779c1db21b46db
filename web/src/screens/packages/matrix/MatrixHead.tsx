import { Button, TextInput } from "@mantine/core";
import { useRef } from "react";
import { count } from "#lib/labels.ts";
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
  if (!mayWrite) return "You can look, but not change. Ask an owner for Packages: write.";
  if (pack.status === "archived") return "The package is archived. Restore it to change it.";
  if (pack.draft) return null;
  const shown = pack.scheduled ?? pack.onSale;
  return shown
    ? `Version ${shown.number} is ${shown.state}. Start a draft to change it.`
    : "There is no draft. Start one to change the package.";
};

const statusOf = ({ draft, scheduled, onSale }: Package) => {
  if (draft)
    return {
      word: `Draft of version ${draft.number}`,
      icon: "circle-dashed",
      tone: "mute",
    } as const;
  const shown = scheduled ?? onSale;
  return {
    word: shown ? `Version ${shown.number}` : "No version",
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
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([
    {
      keys: "/",
      does: "Find a feature",
      group: "Records and forms",
      run: () => field.current?.focus(),
    },
  ]);
  const isIn = ({ id }: { id: string }) =>
    appsOf(sheet).some((app) => app.id === id && isIncluded(sheet, app));
  return (
    <PageHead
      title={`Apps and features of ${own.name}`}
      parent={[
        { label: "Packages", to: "/package" },
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
              {count(changes, "unsaved change")}
              <span className="unseen">, show them</span>
            </button>
          )}
        </>
      }
      acts={
        <>
          <TextInput
            ref={field}
            type="search"
            className="matrix-find"
            aria-label="Find a feature"
            placeholder="Find a feature"
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
        Start a draft
      </Button>
    )}
  </Callout>
);
