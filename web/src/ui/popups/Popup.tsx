import { type ReactNode, Suspense, useRef, useState } from "react";
import { part } from "../page/lazyPart.tsx";
import type { BodyProps } from "./PopupBody.tsx";

const PopupBody = part(async () => (await import("./PopupBody.tsx")).PopupBody);
const MenuBody = part(async () => (await import("./MenuBody.tsx")).MenuBody);

type Props = Omit<BodyProps, "children"> & {
  kind: "dialog" | "menu";
  /** The button that opens it. It stays where it is, and gets the focus back. */
  trigger: ReactNode;
  children: (close: () => void) => ReactNode;
};

/** Something that opens at a button. What draws and places it is loaded with the first that opens. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: a press on the button of an open popup is not one outside of it.
    <span
      className="popup"
      ref={place}
      onMouseDown={(event) => opened && event.stopPropagation()}
      onTouchStart={(event) => opened && event.stopPropagation()}
    >
      {trigger}
      {isWanted && (
        // Whatever of it is still to be loaded, it opens as a whole.
        <Suspense>
          <Body opened={opened} onClose={close} {...shape}>
            {() => children(close)}
          </Body>
        </Suspense>
      )}
    </span>
  );
};
