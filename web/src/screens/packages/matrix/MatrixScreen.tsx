import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { startDraft } from "@purser/contract/packages/versions";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { reloadAndContinue } from "#lib/drafts/drafts.ts";
import { pageAddress } from "#lib/page/runtime.ts";
import { useMay } from "#lib/session/session.ts";
import { isTyping, useShortcuts } from "#lib/shortcuts.ts";
import { DraftOffer } from "#ui/form/drafts/DraftOffer.tsx";
import { LeaveGuard } from "#ui/form/drafts/LeaveGuard.tsx";
import { keysText } from "#ui/Keys.tsx";
import type { GridProps } from "#ui/matrix/grid/useGrid.ts";
import { MatrixAccordion } from "#ui/matrix/MatrixAccordion.tsx";
import { MatrixGrid } from "#ui/matrix/MatrixGrid.tsx";
import { appsOf, changedByApp, type Matrix } from "#ui/matrix/sheet/cells.ts";
import { columnsOf } from "#ui/matrix/sheet/columns.ts";
import { isFiltered, type RowFilter, rowsOf } from "#ui/matrix/sheet/rows.ts";
import { Callout } from "#ui/page/Callout.tsx";
import { Empty } from "#ui/page/Empty.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { attempt, toast, undoLast } from "#ui/popups/toast.ts";
import type { Package } from "../queries.ts";
import { addApp, copyFrom, fillMissing, isEmpty } from "./actions.ts";
import { ImpactRail } from "./ImpactRail.tsx";
import { Lock, lockOf, MatrixHead } from "./MatrixHead.tsx";
import { AddApp, Compare, CopyFrom, MoreActions, Narrow, ToolbarIcon } from "./MatrixToolbar.tsx";
import { type MatrixPage, useMatrixPage } from "./useMatrixPage.ts";

const CellConflicts = part(async () => (await import("./CellConflicts.tsx")).CellConflicts);
const DiscardDialog = part(
  async () => (await import("../versions/DiscardDialog.tsx")).DiscardDialog,
);

const everything: RowFilter = { find: "", onlyChanged: false, onlyDifferences: false };

type View = {
  narrowing: RowFilter;
  setNarrowing: (narrowing: RowFilter) => void;
  closed: ReadonlySet<string>;
  setClosed: (closed: ReadonlySet<string>) => void;
  jump: string | null;
  setJump: (feature: string | null) => void;
};

/** The display options of the matrix. */
const useView = (): View => {
  const [narrowing, setNarrowing] = useState(everything);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [jump, setJump] = useState<string | null>(null);
  return { narrowing, setNarrowing, closed, setClosed, jump, setJump };
};

const useKeys = ({ store, save }: MatrixPage, mayEdit: boolean) => {
  const group = "records" as const;
  const run = (event: KeyboardEvent) => {
    // Text fields have their own undo.
    if (isTyping(event.target)) return false;
    if (event.shiftKey) store.redo();
    else if (store.now().past.length > 0) store.undo();
    else return undoLast();
    return true;
  };
  useShortcuts(
    mayEdit
      ? [
          { keys: "mod+s", does: t`Save draft`, group, run: () => void save() },
          { keys: "mod+z", does: t`Undo (with Shift: redo)`, group, run },
          { keys: "mod+y", does: t`Redo`, group, run: () => store.redo() },
        ]
      : [],
  );
};

const undoKeys = keysText("mod+z");
const redoKeys = keysText("shift+mod+z");

type BarProps = {
  page: MatrixPage;
  view: View;
  mayEdit: boolean;
  onCompare: (ids: string[]) => void;
};

const Bar = ({ page, view, mayEdit, onCompare }: BarProps) => {
  const { store, sheet, wrong, canUndo, canRedo } = page;
  const { narrowing, setNarrowing, setClosed, setJump } = view;
  const { package: own, others } = sheet.matrix;
  return (
    <div className="matrix-bar" role="toolbar" aria-label={t`Matrix`}>
      <Narrow value={narrowing} onChange={setNarrowing} />
      <span className="wide-only matrix-bar-part">
        <Compare own={own} compared={others.map(({ id }) => id)} onCompare={onCompare} />
        {mayEdit && (
          <CopyFrom own={own} onCopy={(pack) => void attempt(() => copyFrom(store, pack))} />
        )}
      </span>
      <span className="spacer" />
      {wrong[0] && (
        <button
          type="button"
          className="matrix-attention"
          onClick={() => {
            setNarrowing(everything);
            setClosed(new Set());
            if (wrong[0]) setJump(wrong[0]);
          }}
        >
          {plural(wrong.length, { one: "# cell needs attention", other: "# cells need attention" })}
        </button>
      )}
      {mayEdit && (
        <>
          <ToolbarIcon
            label={t`Undo`}
            tip={t`Undo (${{ keys: undoKeys }})`}
            icon="arrow-back-up"
            isOff={!canUndo}
            onPress={store.undo}
          />
          <ToolbarIcon
            label={t`Redo`}
            tip={t`Redo (${{ keys: redoKeys }})`}
            icon="arrow-forward-up"
            isOff={!canRedo}
            onPress={store.redo}
          />
        </>
      )}
      <MoreActions
        mayEdit={mayEdit}
        onFill={() => fillMissing(store)}
        onOpenAll={() => setClosed(new Set())}
        onCloseAll={() => setClosed(new Set(appsOf(sheet).map(({ id }) => id)))}
      />
    </div>
  );
};

type SheetProps = { page: MatrixPage; view: View; mayEdit: boolean };

const Nothing = ({ page: { sheet, store }, view, mayEdit }: SheetProps) =>
  isFiltered(view.narrowing) && !isEmpty(sheet) ? (
    <Empty
      icon="zoom-question"
      title={t`No features match`}
      actions={
        <Button variant="default" onClick={() => view.setNarrowing(everything)}>
          {t`Show all features`}
        </Button>
      }
    >
      <p>{t`Try another name, or include unchanged features.`}</p>
    </Empty>
  ) : (
    <Empty
      title={t`This package has no apps`}
      actions={
        mayEdit && (
          <AddApp
            button={t`Add apps`}
            isIn={() => false}
            onAdd={(app) => void attempt(async () => view.setJump(await addApp(store, app)))}
          />
        )
      }
    >
      <p>{t`Add an app, then set the value of each feature.`}</p>
    </Empty>
  );

const Sheet = ({ page, view, mayEdit }: SheetProps) => {
  const { sheet, store } = page;
  const { name } = sheet.matrix.package;
  const { narrowing, closed, setClosed, jump, setJump } = view;
  const navigate = useNavigate();
  const isSmall = useMediaQuery("(max-width: 767px)") ?? false;
  const rows = useMemo(() => rowsOf(sheet, narrowing, closed), [sheet, narrowing, closed]);
  const columns = useMemo(() => columnsOf(sheet.matrix), [sheet.matrix]);
  const changed = useMemo(() => changedByApp(sheet), [sheet]);
  if (rows.length === 0) return <Nothing page={page} view={view} mayEdit={mayEdit} />;
  const fold = (app: string) => {
    const next = new Set(closed);
    if (!next.delete(app)) next.add(app);
    setClosed(next);
  };
  const grid: GridProps = {
    label: t`Apps and features of ${name}`,
    sheet,
    rows,
    columns,
    mayEdit,
    changed,
    jump,
    hrefOf: (id) => pageAddress(`/apps/view/${id}`),
    onOpen: (id) => void navigate({ to: "/apps/view/$id", params: { id } }),
    onFold: fold,
    onApply: store.apply,
    onAnnounce: toast,
    onJumped: () => setJump(null),
  };
  return isSmall ? <MatrixAccordion {...grid} /> : <MatrixGrid {...grid} />;
};

const Refused = ({ page: { refusal } }: { page: MatrixPage }) =>
  refusal && (
    <Callout tone="bad" icon="alert-circle" role="alert">
      <p>{refusal.message}</p>
      {refusal.problem.errors?.map(({ pointer, message }) => (
        <p key={pointer}>{message}</p>
      ))}
      {refusal.is("client_outdated") && (
        <Button size="xs" onClick={reloadAndContinue}>
          {t`Reload and continue`}
        </Button>
      )}
    </Callout>
  );

const start = async ({ id }: Package) => {
  const started = await call(startDraft, { params: { id }, body: {} });
  await queryClient.invalidateQueries({ queryKey: ["packages"] });
  const number = started.draft?.number ?? "";
  toast(t`Draft of version ${number} created`);
};

type DialogsProps = { page: MatrixPage; isDiscarding: boolean; onClose: () => void };

const Dialogs = ({ page, isDiscarding, onClose }: DialogsProps) => {
  const { package: own } = page.sheet.matrix;
  return (
    <Suspense>
      {isDiscarding && <DiscardDialog pack={own} onClose={onClose} />}
      {page.clashes.length > 0 && (
        <CellConflicts
          clashes={page.clashes}
          onSettle={(sides) => void page.settle(sides)}
          onClose={page.keepEditing}
        />
      )}
    </Suspense>
  );
};

/** The apps and feature values of a package draft, with their impact. */
export const MatrixScreen = ({
  matrix,
  compared,
}: {
  matrix: Matrix;
  compared: string | undefined;
}) => {
  const view = useView();
  const navigate = useNavigate();
  const mayWrite = useMay("packages:write");
  const [isDiscarding, setDiscarding] = useState(false);
  const page = useMatrixPage({
    matrix,
    compared,
    onWrong: (feature) => {
      view.setNarrowing(everything);
      view.setClosed(new Set());
      view.setJump(feature);
    },
  });
  const { package: own } = page.sheet.matrix;
  const lock = lockOf(own, mayWrite);
  const mayEdit = lock === null;
  useKeys(page, mayEdit);
  const onCompare = (ids: string[]) =>
    void navigate({
      to: "/package/apps/$id",
      params: { id: own.id },
      search: ids.length > 0 ? { with: ids.join(",") } : {},
      replace: true,
    });
  return (
    <div className="package-apps">
      <MatrixHead
        page={page}
        mayEdit={mayEdit}
        narrowing={view.narrowing}
        onNarrow={view.setNarrowing}
        onJump={view.setJump}
      />
      <div className="package-apps-columns">
        <div className="package-apps-main">
          {lock !== null && (
            <Lock
              reason={lock}
              onStart={
                mayWrite && own.status !== "archived" ? () => void attempt(() => start(own)) : null
              }
            />
          )}
          <DraftOffer draft={page.kept} />
          <Refused page={page} />
          <Bar page={page} view={view} mayEdit={mayEdit} onCompare={onCompare} />
          <Sheet page={page} view={view} mayEdit={mayEdit} />
        </div>
        <ImpactRail
          sheet={page.sheet}
          changes={page.changes}
          busy={page.busy}
          mayEdit={mayEdit}
          onPublish={async () =>
            (await page.save()) &&
            void navigate({ to: "/package/publish/$id", params: { id: own.id } })
          }
          onSave={() => void page.save()}
          onDiscard={() => (page.changes > 0 ? page.store.discard() : setDiscarding(true))}
        />
      </div>
      <Dialogs page={page} isDiscarding={isDiscarding} onClose={() => setDiscarding(false)} />
      <LeaveGuard
        isUnsaved={page.isUnsaved}
        changes={page.changes}
        save={page.save}
        onDiscard={page.kept.forget}
        returnTo={() => document.querySelector<HTMLElement>('.matrix [tabindex="0"]')}
      />
      <span className="unseen" role="status">
        {page.changes > 0 &&
          plural(page.changes, { one: "# unsaved change", other: "# unsaved changes" })}
      </span>
    </div>
  );
};
