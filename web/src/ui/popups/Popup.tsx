import { type ReactNode, Suspense, useRef, useState } from "react";
import { part } from "../page/lazyPart.tsx";
import type { BodyProps } from "./PopupBody.tsx";

const PopupBody = part(async () => (await import("./PopupBody.tsx")).PopupBody);
const MenuBody = part(async () => (await import("./MenuBody.tsx")).MenuBody);

type Props = Omit<BodyProps, "children"> & {
  kind: "dialog" | "menu";
  /** The button that opens it and gets the focus back. */
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
};

/** A popup anchored to a button. Its positioning code loads with the first one opened. */
export const Popup = ({ kind, trigger, opened, onClose, children, ...shape }: Props) => {
  const place = useRef<HTMLSpanElement>(null);
  const [isWanted, setWanted] = useState(false);
  if (opened && !isWanted) setWanted(true);
  const Body = kind === "menu" ? MenuBody : PopupBody;
  const close = () => {
    onClose();
    place.current?.querySelector("button")?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press on the trigger of an open popup must not count as outside.
    <span
      className="popup"
      ref={place}
      onMouseDown={(event) => opened && event.stopPropagation()}
      onTouchStart={(event) => opened && event.stopPropagation()}
    >
      {trigger}
      {isWanted && (
        // Everything loads before it opens.
        <Suspense>
          <Body opened={opened} onClose={close} {...shape}>
            {() => children(close)}
          </Body>
        </Suspense>
      )}
    </span>
  );
};
