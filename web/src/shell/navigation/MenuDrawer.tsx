import { t } from "@lingui/core/macro";
import "@mantine/core/styles/CloseButton.layer.css";
import "#ui/styles/modalSheets.ts";
import "@mantine/core/styles/Drawer.layer.css";
import { Drawer } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";

/** The full menu on phones. Choosing an entry navigates, which closes it. */
export const MenuDrawer = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => {
  const router = useRouter();
  useEffect(() => router.subscribe("onBeforeNavigate", onClose), [router, onClose]);
  return (
    <Drawer
      opened
      onClose={onClose}
      size={280}
      title={t`Menu`}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      {children}
    </Drawer>
  );
};
