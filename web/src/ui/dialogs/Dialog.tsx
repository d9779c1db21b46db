import { t } from "@lingui/core/macro";
import "@mantine/core/styles/CloseButton.layer.css";
import "../styles/modalSheets.ts";
import "@mantine/core/styles/Modal.layer.css";
import "./Dialog.css";
import { CloseButton, MantineThemeProvider, Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Icon } from "../Icon.tsx";
import type { IconName } from "../iconNames.ts";
import type { Tone } from "../Status.tsx";
import { modalTheme } from "../styles/theme.ts";

type Props = {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  /** One sentence below the title. */
  fact?: ReactNode;
  sign?: { icon: IconName; tone: Tone };
  size?: number;
  /** Hard to undo. */
  alert?: boolean;
  /** Can be closed only by its own buttons. */
  binding?: boolean;
  /** The element to focus on close, if not the one that had the focus before. */
  returnTo?: () => HTMLElement | null;
  children?: ReactNode;
  foot?: ReactNode;
};

/** The element focused before a dialog, for a dialog that replaces it. */
const openers = new WeakMap<Element, HTMLElement[]>();

/** Candidates for the focus after a dialog that opens now, nearest first. */
const openersNow = (): HTMLElement[] => {
  const from = document.activeElement;
  if (!(from instanceof HTMLElement) || from === document.body) return [];
  const menu = from.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const target = menu ? document.getElementById(menu) : null;
  const before = from.closest("[aria-modal=true]");
  return [from, ...(target ? [target] : []), ...((before && openers.get(before)) ?? [])];
};

/** Mantine returns the focus when `opened` becomes false, but our dialogs unmount instead. */
const useFocusBack = (returnTo: Props["returnTo"]) => {
  const [places] = useState(() => [returnTo?.() ?? [], openersNow()].flat());
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      const place = places.find(({ isConnected }) => isConnected);
      (place ?? document.querySelector<HTMLElement>("[data-page-heading]"))?.focus();
    },
    [places],
  );
  return places;
};

/** Initial focus is the first field or `data-autofocus`. On close it returns to where it was. */
export const Dialog = ({
  opened,
  onClose,
  title,
  fact,
  sign,
  size = 520,
  alert = false,
  binding = false,
  returnTo,
  children,
  foot,
}: Props) => {
  const fullScreen = useMediaQuery("(max-width: 479px)") ?? false;
  const places = useFocusBack(returnTo);
  // Must be stable: a new function would restart the focus trap.
  const begin = useCallback(
    (content: HTMLElement | null) => {
      if (content) openers.set(content, places);
      // Mantine would give every content the role `dialog`.
      if (alert) content?.setAttribute("role", "alertdialog");
    },
    [places, alert],
  );
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={size}
      centered
      fullScreen={fullScreen}
      radius={fullScreen ? 0 : "lg"}
      closeOnClickOutside={false}
      closeOnEscape={!binding}
    >
      <Modal.Overlay />
      <Modal.Content ref={begin}>
        <MantineThemeProvider theme={modalTheme} inherit>
          <div className="dialog">
            <div className="dialog-head">
              {sign && (
                <span className="dialog-sign" data-tone={sign.tone}>
                  <Icon name={sign.icon} size={18} />
                </span>
              )}
              <div>
                <Modal.Title>{title}</Modal.Title>
                {fact && <p>{fact}</p>}
              </div>
              {!binding && (
                <CloseButton
                  onClick={onClose}
                  aria-label={t`Close`}
                  size="sm"
                  icon={<Icon name="x" />}
                />
              )}
            </div>
            <div className="dialog-body">{children}</div>
            {foot && <div className="dialog-foot">{foot}</div>}
          </div>
        </MantineThemeProvider>
      </Modal.Content>
    </Modal.Root>
  );
};

type Consequence = { icon: IconName; what: ReactNode; amount: ReactNode };

/** The consequences of an action, in numbers. */
export const Consequences = ({ of }: { of: Consequence[] }) => (
  <table className="consequences">
    <tbody>
      {of.map(({ icon, what, amount }) => (
        <tr key={icon}>
          <th scope="row">
            <span>
              <Icon name={icon} />
              <span>{what}</span>
            </span>
          </th>
          <td>{amount}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
