import { t } from "@lingui/core/macro";
import { ActionIcon, TextInput, type TextInputProps } from "@mantine/core";
import {
  type KeyboardEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { language } from "#lib/messages.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { localDateTime } from "#lib/time/localTime.ts";
import { Icon } from "../Icon.tsx";
import { part } from "../page/lazyPart.tsx";
import { isLocalTime, parseDate, showDate } from "./parseDate.ts";

const CalendarPopup = part(async () => (await import("./CalendarPopup.tsx")).CalendarPopup);

type Props = Omit<TextInputProps, "value" | "onChange" | "type" | "min" | "max"> & {
  /** As of a native input ("2026-11-16" or "2026-11-16T14:30"), or the text that can't be read. */
  value: string;
  onChange: (value: string) => void;
  /** After leaving the field, pressing Enter or choosing from the calendar. */
  onDone?: (value: string) => void;
  /** The time zone of the value, which decides what today is. */
  zone: string;
  /** The first and last day of the calendar. */
  min?: string;
  max?: string;
};

const tomorrow = () => new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(1, "day");

/** Closes the calendar by Escape, which then closes nothing else, or by a press outside of it. */
const useDismissal = (opened: boolean, popupId: string, dismiss: (isEscape: boolean) => void) => {
  const input = useRef<HTMLInputElement>(null);
  const meet = useEffectEvent((event: Event) => {
    if (event instanceof globalThis.KeyboardEvent) {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      dismiss(true);
    } else if (event.target instanceof Node) {
      const own = [input.current?.parentElement, document.getElementById(popupId)];
      if (!own.some((one) => one?.contains(event.target as Node))) dismiss(false);
    }
  });
  useEffect(() => {
    if (!opened) return;
    const away = new AbortController();
    for (const name of ["keydown", "pointerdown"])
      addEventListener(name, meet, { capture: true, signal: away.signal });
    return () => away.abort();
  }, [opened]);
  return input;
};

type Kind = { withTime: boolean };

/** The text of the field: as typed while typing, then as the locale writes it. */
const useDateText = ({ value, onChange, zone, withTime }: Props & Kind) => {
  const [typed, setTyped] = useState<string | null>(null);
  const now = localDateTime(zone, currentTime());
  const isRead = value === "" || isLocalTime(value, withTime);
  const show = (date: string) => showDate(date, { locale: language, withTime });
  const example = show(withTime ? now : now.slice(0, 10));
  return {
    now,
    placeholder: t`e.g. ${example}`,
    text: typed ?? show(value),
    type: (text: string) => {
      setTyped(text);
      onChange(parseDate(text, { locale: language, now, withTime }) ?? text.trim());
    },
    stopTyping: () => setTyped(null),
    isTyping: typed !== null,
    unreadable: isRead
      ? null
      : t`Enter a date such as ${example}, +30d or ${{ tomorrow: tomorrow() }}.`,
  };
};

const DateInput = (props: Props & Kind) => {
  const { value, onChange, onDone, zone, min, max, withTime, error, ...rest } = props;
  const popupId = useId();
  const [opened, setOpened] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const field = useDateText(props);
  const close = (isBack: boolean, last = value) => {
    setOpened(false);
    if (isBack) input.current?.focus();
    onDone?.(last);
  };
  const input = useDismissal(opened, popupId, close);
  useEffect(() => {
    input.current?.setCustomValidity(field.unreadable ?? "");
  }, [input, field.unreadable]);
  const open = () => {
    field.stopTyping();
    setWanted(true);
    setOpened(true);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    rest.onKeyDown?.(event);
    if (event.key === "ArrowDown") {
      event.preventDefault();
      open();
    } else if (event.key === "Enter") {
      // The calendar may still be loading.
      if (opened) event.preventDefault();
      field.stopTyping();
      onDone?.(value);
    }
  };
  return (
    <TextInput
      placeholder={field.placeholder}
      autoComplete="off"
      spellCheck={false}
      {...rest}
      ref={input}
      role="combobox"
      aria-haspopup="dialog"
      aria-expanded={opened}
      aria-controls={opened ? popupId : undefined}
      {...(opened && { "data-mantine-stop-propagation": true })}
      value={field.text}
      error={(!field.isTyping && field.unreadable) || error}
      onChange={({ currentTarget }) => {
        setOpened(false);
        field.type(currentTarget.value);
      }}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        field.stopTyping();
        if (opened) return;
        rest.onBlur?.(event);
        onDone?.(value);
      }}
      rightSectionPointerEvents="all"
      rightSection={
        <>
          <ActionIcon
            aria-label={t`Open calendar`}
            disabled={rest.disabled ?? false}
            onClick={() => (opened ? close(true) : open())}
          >
            <Icon name="calendar" />
          </ActionIcon>
          {isWanted && (
            <Suspense>
              <CalendarPopup
                id={popupId}
                opened={opened}
                today={field.now.slice(0, 10)}
                value={isLocalTime(value, withTime) ? value : ""}
                withTime={withTime}
                min={min?.slice(0, 10)}
                max={max?.slice(0, 10)}
                onChange={onChange}
                onDone={(last) => close(true, last)}
              />
            </Suspense>
          )}
        </>
      }
    />
  );
};

/** A date that can be typed in many ways, such as "16 nov" or "+30d", or chosen from a calendar. */
export const DateField = (props: Props) => <DateInput {...props} withTime={false} />;

export const DateTimeField = (props: Props) => <DateInput {...props} withTime />;
