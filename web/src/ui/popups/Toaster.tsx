import { t } from "@lingui/core/macro";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Notification.layer.css";
import "@mantine/notifications/styles.layer.css";
import { Button } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { deliverToasts, runAction, type Toast } from "./toast.ts";

const show = (toast: Toast) => {
  const { message, action, isError = false } = toast;
  const id = notifications.show({
    ...(isError
      ? { role: "alert", color: "red", autoClose: false, className: "toast-bad" }
      : { autoClose: action ? 10_000 : 5_000 }),
    closeButtonProps: { "aria-label": t`Close` },
    message: (
      <span className="toast">
        <span>{message}</span>
        {action && (
          <Button size="xs" variant="default" onClick={() => runAction(toast)}>
            {action.label}
          </Button>
        )}
      </span>
    ),
  });
  toast.hide = () => notifications.hide(id);
};

export const Toaster = () => {
  useEffect(() => deliverToasts(show), []);
  return (
    <Notifications
      position="bottom-right"
      limit={4}
      zIndex={1200}
      containerWidth={400}
      pauseResetOnHover="notification"
    />
  );
};
