import { t } from "@lingui/core/macro";
import type { Fields } from "@purser/contract/http/list";
import { Suspense, useEffect } from "react";
import { usePreferences } from "#lib/session/preferences.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Tab } from "#ui/page/Tab.tsx";
import type { ChosenColumn } from "../columns/columns.ts";
import type { ListDeclaration } from "../declaration.ts";
import { operatorsOf } from "../filters/operators.ts";
import type { ListState } from "../listSearch.ts";
import { totalLabels } from "../Pager.tsx";
import type { Identified } from "../table/tableEngine.ts";
import { SaveView } from "./SaveView.tsx";
import { isShown, remainderOf, searchOf, useViewsOf } from "./savedViews.ts";

const IncompleteView = part(async () => (await import("./IncompleteView.tsx")).IncompleteView);

type Props<Row extends Identified, F extends Fields> = {
  list: ListDeclaration<Row, F>;
  state: ListState;
  columns: ChosenColumn<Row>[];
};

/** The built-in views with their counts, those of the team and the user's own. */
export const Views = <Row extends Identified, F extends Fields>({
  list: { name, views, fields },
  state: { search, go },
  columns,
}: Props<Row, F>) => {
  const known = { fields, columns, operatorsOf };
  const saved = useViewsOf(name, usePreferences()).map((view) => ({
    view,
    ...remainderOf(view, known),
  }));
  const current = saved.find(({ left }) => isShown(left, search));
  // A link to a view that has lost some of its filters, such as in the menu.
  const lost = saved.find(({ view, left }) => isShown(view, search) && !isShown(left, search));
  useEffect(() => {
    if (!lost) return;
    const { f, sort, cols } = lost.left;
    void go({ f, sort, cols: cols?.join() }, true);
  });
  const isBuiltIn = (filter: string | null) => search.f.join() === (filter ?? "");
  const isKnown = !search.q && !search.sort && views.some(({ filter }) => isBuiltIn(filter));
  return (
    <>
      <nav className="tabs" aria-label={t`Views`}>
        {views.map(({ label, filter, total }) => (
          <Tab
            key={label}
            search={filter ? { f: [filter] } : {}}
            isCurrent={!current && isBuiltIn(filter)}
          >
            {label}
            {total && <em>{totalLabels(total)}</em>}
          </Tab>
        ))}
        {saved.map(({ view, left }) => (
          <Tab
            key={view.shared?.id ?? `saved ${view.name}`}
            search={searchOf(left)}
            isCurrent={view === current?.view}
          >
            {view.name}
            {view.shared && (
              <>
                <Icon name="users" size={13} />
                <span className="unseen">{t`Shared`}</span>
              </>
            )}
          </Tab>
        ))}
        {(current || !isKnown) && (
          <SaveView
            name={name}
            search={search}
            columns={columns.filter(({ hidden }) => !hidden).map(({ id }) => id)}
            current={current?.view}
          />
        )}
      </nav>
      {current?.isWhole === false && (
        <Suspense>
          <IncompleteView />
        </Suspense>
      )}
    </>
  );
};
