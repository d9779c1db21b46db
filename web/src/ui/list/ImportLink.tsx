import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { ImportKind } from "@purser/contract/workspace/imports";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useMay } from "#lib/session/session.ts";

/** To the import of what a list shows. Files are prepared on a computer, so phones don't have it. */
export const ImportLink = ({ kind }: { kind: ImportKind }) => {
  const link: LinkProps = { to: "/import", search: kind === "customers" ? {} : { kind } };
  return (
    useMay("imports:write") && (
      <Button component={Link} {...(link as object)} variant="default" className="wide-only">
        {t`Import`}
      </Button>
    )
  );
};
