import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import { Menu } from "@mantine/core";
import type { BodyProps } from "./PopupBody.tsx";

export const MenuBody = ({ label, opened, onClose, place, width, children }: BodyProps) => (
  <Menu opened={opened} onClose={onClose} position={place} width={width} returnFocus={false}>
    <Menu.Target>
      <span className="popup-anchor" aria-hidden="true" />
    </Menu.Target>
    <Menu.Dropdown aria-label={label}>{children()}</Menu.Dropdown>
  </Menu>
);
