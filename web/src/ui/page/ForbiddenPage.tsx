import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { Permission } from "@purser/contract/auth/permissions";
import { Link } from "@tanstack/react-router";
import { permissionNames } from "#lib/labels/permissions.ts";
import { Empty } from "./Empty.tsx";
import { PageHeading } from "./PageHeading.tsx";

export const ForbiddenPage = ({ permission }: { permission: Permission }) => {
  const name = permissionNames[permission];
  const title = t`You don't have access to this page`;
  return (
    <Empty
      icon="lock"
      title={title}
      heading={<PageHeading title={title} />}
      actions={
        <Button component={Link} to="/" variant="default">
          {t`Go home`}
        </Button>
      }
    >
      <p>
        <Trans>
          Ask an owner for the permission <b>{name}</b>.
        </Trans>
      </p>
    </Empty>
  );
};
