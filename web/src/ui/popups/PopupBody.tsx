import "@mantine/core/styles/Popover.layer.css";
import { Popover } from "@mantine/core";
import type { ReactNode } from "react";

export type BodyProps = {
  label: string;
  opened: boolean;
  onClose: () => void;
  place: "bottom-start" | "bottom-end" | "top-start";
  width: number;
  children: () => ReactNode;
};

export const PopupBody = ({ label, opened, onClose, place, width, children }: BodyProps) => (
  <Popover
    opened={opened}
    onChange={(next) => !next && onClose()}
    position={place}
    width={width}
    // As high as the window allows, and scrolled inside.
    middlewares={{ size: { padding: 8 } }}
    withRoles={false}
    trapFocus
  >
    <Popover.Target>
      <span className="popup-anchor" />
    </Popover.Target>
    <Popover.Dropdown role="dialog" aria-label={label}>
      {children()}
    </Popover.Dropdown>
  </Popover>
);
