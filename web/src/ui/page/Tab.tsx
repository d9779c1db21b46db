import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";

type Props = { search: Record<string, string | string[]>; isCurrent: boolean; children: ReactNode };

/** A link to another view of the page. The page decides which one is current. */
export const Tab = ({ search, isCurrent, children }: Props) => {
  const router = useRouter();
  const { href } = router.buildLocation({ to: ".", search } as never);
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a
      href={href}
      className="tab"
      onClick={go}
      {...(isCurrent && { "aria-current": "page" as const })}
    >
      {children}
    </a>
  );
};
