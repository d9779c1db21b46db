import { t } from "@lingui/core/macro";
import "#ui/styles/modalSheets.ts";
import "@mantine/core/styles/Modal.layer.css";
import "./Palette.css";
import { Modal } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { pageAddress } from "#lib/page/runtime.ts";
import { Icon, Tile } from "#ui/Icon.tsx";
import { Keys } from "#ui/Keys.tsx";
import { isSearching, releaseKeys, takeKeys } from "./typeAhead.ts";
import { type Option, useOptions } from "./useOptions.ts";

const marked = (text: string, query: string): ReactNode => {
  const place = query ? text.toLowerCase().indexOf(query.toLowerCase()) : -1;
  if (place < 0) return text;
  const end = place + query.length;
  return (
    <>
      {text.slice(0, place)}
      <mark>{text.slice(place, end)}</mark>
      {text.slice(end)}
    </>
  );
};

type Props = {
  /** Incremented on each opening. */
  opened: number;
  onShortcuts: () => void;
};

export const Palette = ({ opened, onShortcuts }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<Element>(null);
  useEffect(() => {
    if (!isSearching()) opener.current = document.activeElement;
    setIsOpen(opened > 0);
  }, [opened]);
  // The dialog's own return of the focus comes too late without a transition: it stores the search field as the opener.
  useEffect(() => {
    if (
      !isOpen &&
      document.activeElement === document.body &&
      opener.current instanceof HTMLElement
    )
      opener.current.focus({ preventScroll: true });
  }, [isOpen]);
  const close = () => {
    releaseKeys();
    setIsOpen(false);
  };
  return (
    <Modal.Root
      opened={isOpen}
      onClose={close}
      size={640}
      returnFocus={false}
      yOffset={112}
      radius="lg"
      // While it faded out, it could be opened again, and its field could be replaced after keys were typed.
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t`Search or jump to`} className="palette">
        <Search onDone={close} onShortcuts={onShortcuts} />
      </Modal.Content>
    </Modal.Root>
  );
};

type Held = { isSettled: boolean; onType: (typed: string) => void; onEnter: () => void };

/** Takes over the keys typed before the field appeared. Enter waits until the results are there. */
const useHeldKeys = ({ isSettled, onType, onEnter }: Held) => {
  const input = useRef<HTMLInputElement>(null);
  const [entered, setEntered] = useState(false);
  useEffect(() => {
    // After the dialog has stored where the focus was.
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  const enter = useEffectEvent(() => {
    setEntered(false);
    onEnter();
  });
  const isDue = entered && isSettled;
  useEffect(() => {
    if (isDue) enter();
  }, [isDue]);
  const onFocus = () => {
    const held = takeKeys();
    if (held.typed) onType(held.typed);
    if (held.entered) setEntered(true);
  };
  return { ref: input, onFocus };
};

const Search = ({ onDone, onShortcuts }: { onDone: () => void; onShortcuts: () => void }) => {
  const listId = useId();
  const router = useRouter();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const { options, isSettled } = useOptions(query, onShortcuts);
  const place = Math.min(active, options.length - 1);
  const idOf = (index: number) => `${listId}-${index}`;

  const choose = ({ path, run }: Option, inNewTab: boolean) => {
    onDone();
    if (path && inNewTab) window.open(pageAddress(path));
    else if (path) void router.navigate({ href: path });
    else setTimeout(() => run?.());
  };

  const field = useHeldKeys({
    isSettled,
    onType: (typed) => setQuery((before) => before + typed),
    onEnter: () => options[0] && choose(options[0], false),
  });

  const move = (by: number) => {
    const next = (place + by + options.length) % options.length;
    setActive(next);
    list.current?.querySelector(`[id="${idOf(next)}"]`)?.scrollIntoView({ block: "nearest" });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = options[place];
    if (event.nativeEvent.isComposing || (!step && event.key !== "Enter")) return;
    event.preventDefault();
    if (step && options.length > 0) move(step);
    else if (chosen) choose(chosen, event.ctrlKey || event.metaKey);
  };

  return (
    <>
      <div className="palette-search">
        <Icon name="search" size={18} />
        <input
          {...field}
          role="combobox"
          aria-label={t`Search or jump to`}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          {...(place >= 0 && { "aria-activedescendant": idOf(place) })}
          placeholder={t`Search names, codes, actions and settings`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Keys keys="escape" />
      </div>
      <div className="palette-list" role="listbox" id={listId} aria-label={t`Results`} ref={list}>
        {options.map((option, index) => (
          <div key={option.id} role="presentation">
            {options[index - 1]?.group !== option.group && (
              <div className="palette-group" role="presentation">
                {option.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys. */}
            <div
              className="palette-option"
              role="option"
              tabIndex={-1}
              id={idOf(index)}
              aria-selected={index === place}
              onMouseMove={() => setActive(index)}
              onClick={(event) => choose(option, event.ctrlKey || event.metaKey)}
            >
              <Tile icon={option.icon} size={26} />
              <span>
                {marked(option.label, query.trim())}
                {option.note && <small className="mono">{marked(option.note, query.trim())}</small>}
              </span>
              <span className="spacer" />
              {option.keys && <Keys keys={option.keys} />}
            </div>
          </div>
        ))}
      </div>
      {options.length === 0 && (
        <p className="palette-none" role="status">
          {t`No matches. Try part of a name, a number or an email.`}
        </p>
      )}
      <div className="palette-foot">
        <Keys keys="arrowup" />
        <Keys keys="arrowdown" />
        {t`Navigate`}
        <Keys keys="enter" />
        {t`Open`}
        <Keys keys="mod+enter" />
        {t`Open in new tab`}
      </div>
    </>
  );
};
