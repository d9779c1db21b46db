import "./saveView.css";
import { t } from "@lingui/core/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Checkbox.layer.css";
import type { ListSearch } from "@purser/contract/pages/listSearch";
import type { SavedView } from "@purser/contract/workspace/preferences";
import {
  changeSharedView,
  deleteSharedView,
  sharedViewsMax,
  shareView,
} from "@purser/contract/workspace/sharedViews";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import {
  chooseDefaultView,
  currentPreferences,
  defaultViewsIn,
  updatePreferences,
} from "#lib/session/preferences.ts";
import { useMay, useMe } from "#lib/session/session.ts";
import { attempt, toast, undoAction } from "#ui/popups/toast.ts";
import {
  defaultViewOf,
  type ListView,
  referenceOf,
  searchOf,
  sharedViewsQuery,
  useSharedViews,
  useViewsOf,
} from "./savedViews.ts";
import { withName } from "./withName.ts";

export type SaveViewProps = {
  name: string;
  search: ListSearch;
  /** The visible columns. */
  columns: string[];
  current: ListView | undefined;
};

const viewsMax = 20;

const refresh = () => queryClient.invalidateQueries({ queryKey: sharedViewsQuery.queryKey });

/** The requests that store a view where it belongs, in place of another one if given. */
const useStore = (name: string, replaced: ListView | undefined) => {
  const views = currentPreferences().views[name] ?? [];
  const isOwn = replaced !== undefined && !replaced.shared;
  const others = isOwn ? views.filter((one) => one.name !== replaced.name) : views;
  const keep = (next: SavedView[]) => updatePreferences({ views: { [name]: next } });
  const saveShared = async (view: SavedView, isDefault: boolean) => {
    const body = { ...view, isDefault };
    const saved = replaced?.shared
      ? await call(changeSharedView, { params: { id: replaced.shared.id }, body })
      : await call(shareView, { body: { list: name, ...body } });
    // A view is either shared or the user's own.
    if (isOwn) await keep(others);
    return saved.id;
  };
  const saveOwn = async (view: SavedView) => {
    // A renamed view keeps its position.
    await keep(
      isOwn ? views.map((one) => (one.name === replaced.name ? view : one)) : [...views, view],
    );
    if (replaced?.shared) await call(deleteSharedView, { params: { id: replaced.shared.id } });
    return view.name;
  };
  return { saveShared, saveOwn, keep, others, isFull: others.length >= viewsMax };
};

/** Deletes a view, and returns how to restore it as what it was. */
const useRemove = (name: string, view: ListView | undefined, { isOwner }: { isOwner: boolean }) => {
  const { keep, others } = useStore(name, view);
  const wasFirst =
    view !== undefined && defaultViewsIn(currentPreferences())[name] === referenceOf(view);
  return async () => {
    if (!view?.shared) {
      const before = currentPreferences().views[name] ?? [];
      await keep(others);
      return () => keep(before);
    }
    const { shared, ...saved } = view;
    await call(deleteSharedView, { params: { id: shared.id } });
    await refresh();
    return async () => {
      const isDefault = shared.isDefault && isOwner;
      const { id } = await call(shareView, { body: { list: name, ...saved, isDefault } });
      if (wasFirst) await chooseDefaultView(name, id);
      await refresh();
    };
  };
};

/** What the user may do with a view. */
const usePowers = (current: ListView | undefined) => {
  const { id, role } = useMe();
  const mayShare = useMay("views:share");
  const shared = current?.shared;
  const mayReplace = ({ shared: one }: ListView) =>
    !one || (mayShare && (one.owner?.id === id || role === "owner"));
  return {
    mayShare,
    mayReplace,
    mayChange: !current || mayReplace(current),
    mayKeep: !shared || shared.owner?.id === id,
    isOwner: role === "owner",
  };
};

type Choices = { isShared: boolean; withColumns: boolean; isFirst: boolean; isTeamFirst: boolean };

type ChoiceProps = {
  choices: Choices;
  powers: ReturnType<typeof usePowers>;
  onChange: (choices: Choices) => void;
};

const ViewChoices = ({ choices, powers, onChange }: ChoiceProps) => {
  const { mayShare, mayChange, mayKeep, isOwner } = powers;
  const box = (name: keyof Choices, label: string, isDisabled = false) => (
    <Checkbox
      label={label}
      disabled={isDisabled}
      checked={choices[name]}
      onChange={({ currentTarget: { checked } }) => onChange({ ...choices, [name]: checked })}
    />
  );
  return (
    <>
      {mayShare && mayChange && box("isShared", t`Share with your team`, !mayKeep)}
      {mayChange && box("withColumns", t`Include these columns`)}
      {box("isFirst", t`Open this view first`)}
      {isOwner && choices.isShared && box("isTeamFirst", t`Default for the whole team`)}
    </>
  );
};

type Described = { isFull: boolean; isShared: boolean; isReplacing: boolean };

const describe = (
  current: ListView | undefined,
  { mayChange }: { mayChange: boolean },
  { isFull, isShared, isReplacing }: Described,
) => {
  const owner = current?.shared?.owner?.name;
  if (isReplacing) return t`Replaces the view with this name.`;
  if (isFull) return t`You can save up to ${viewsMax} views. Delete one first.`;
  if (owner && !mayChange) return t`Shared by ${owner}. Only they or an owner can change it.`;
  if (owner) return t`Shared by ${owner}.`;
  return isShared
    ? t`Visible to your whole team, up to ${sharedViewsMax} per list.`
    : t`Only visible to you.`;
};

const isSame = (a: ListView | undefined, b: ListView | undefined) =>
  a !== undefined && b !== undefined && referenceOf(a) === referenceOf(b);

/** The view that a new one replaces because it has its name, and whether the name can't be used. */
const useNamesake = (
  { name, current }: SaveViewProps,
  { mayReplace }: { mayReplace: (view: ListView) => boolean },
  given: { name: string; isShared: boolean },
) => {
  const found = withName(useViewsOf(name, currentPreferences()), given.name, given.isShared);
  const namesake = isSame(found, current) ? undefined : found;
  const replaced = current || !namesake || !mayReplace(namesake) ? undefined : namesake;
  return { replaced, isTaken: namesake !== undefined && !replaced };
};

export const SaveViewForm = (props: SaveViewProps & { onDone: () => void }) => {
  const { name, search, columns, current, onDone } = props;
  const navigate = useNavigate();
  const powers = usePowers(current);
  const [typed, setTyped] = useState(current?.name ?? "");
  const [choices, setChoices] = useState<Choices>({
    isShared: current?.shared !== undefined,
    withColumns: current?.cols !== undefined,
    isFirst: isSame(current, defaultViewOf(name, currentPreferences(), useSharedViews())),
    isTeamFirst: current?.shared?.isDefault ?? false,
  });
  const { isShared, withColumns, isFirst, isTeamFirst } = choices;
  const given = typed.trim();
  const { replaced, isTaken } = useNamesake(props, powers, { name: given, isShared });
  const target = current ?? replaced;
  const store = useStore(name, target);
  const removeView = useRemove(name, current, powers);
  const wasFirst = isSame(target, defaultViewOf(name, currentPreferences(), useSharedViews()));
  const isFull = !isShared && store.isFull;
  const canSave = given !== "" && !isFull && !isTaken;

  const keep = async () => {
    if (current && !powers.mayChange) return referenceOf(current);
    const { q, f, sort } = search;
    const { cols: _, ...looked } = searchOf({ q, f, sort });
    const view = { ...looked, ...(withColumns && { cols: columns }), name: given, f };
    // Only owners choose it. For others, and in place of another view, it stays as it is now.
    const wasDefault = target?.shared?.isDefault ?? false;
    const isKept = !powers.isOwner || replaced !== undefined;
    const isDefault = (powers.isOwner && isTeamFirst) || (isKept && wasDefault);
    return isShared ? store.saveShared(view, isDefault) : store.saveOwn(view);
  };
  const save = () =>
    attempt(async () => {
      try {
        const reference = await keep();
        const staysFirst = isFirst || (replaced !== undefined && wasFirst);
        if (staysFirst || wasFirst) await chooseDefaultView(name, staysFirst ? reference : "");
        onDone();
      } finally {
        // Also after a refusal, because the view may have been changed or deleted by someone else.
        if (isShared || target?.shared) await refresh();
      }
    });
  const remove = () =>
    attempt(async () => {
      const restore = await removeView();
      onDone();
      void navigate({ to: ".", search: {} as never });
      toast(t`View deleted`, undoAction(restore));
    });
  return (
    <form
      className="save-view"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) void save();
      }}
    >
      <TextInput
        label={t`View name`}
        description={describe(current, powers, {
          isFull,
          isShared,
          isReplacing: replaced !== undefined,
        })}
        error={isTaken && t`Another view has this name. Choose another one.`}
        data-autofocus
        readOnly={!powers.mayChange}
        maxLength={40}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <ViewChoices choices={choices} powers={powers} onChange={setChoices} />
      <div className="save-view-actions">
        {current && powers.mayChange && (
          <Button variant="default" size="xs" onClick={remove}>
            {t`Delete view`}
          </Button>
        )}
        <Button type="submit" size="xs" disabled={!canSave}>
          {t`Save view`}
        </Button>
      </div>
    </form>
  );
};
