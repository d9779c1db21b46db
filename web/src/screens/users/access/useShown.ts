import { useNavigate, useSearch } from "@tanstack/react-router";

export type Shown = "granted" | "all";

const from = "/users/view/$id";

/** The shown features and the open rows, which are in the URL. */
export const useShown = () => {
  const { features, open = "" } = useSearch({ from });
  const navigate = useNavigate({ from });
  const change = (shown: Shown, rows: readonly string[]) =>
    void navigate({
      search: ({ features: _, open: __, ...rest }) => ({
        ...rest,
        ...(shown === "all" && { features: shown }),
        ...(rows.length > 0 && { open: rows.join(",") }),
      }),
      replace: true,
      resetScroll: false,
    });
  const shown: Shown = features ?? "granted";
  const opened = open.split(",").filter(Boolean);
  return {
    shown,
    show: (next: Shown) => change(next, opened),
    opened,
    toggle: (id: string) => {
      const others = opened.filter((one) => one !== id);
      change(shown, others.length < opened.length ? others : [...opened, id]);
    },
  };
};
