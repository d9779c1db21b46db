import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link, type LinkProps } from "@tanstack/react-router";
import { Empty } from "../page/Empty.tsx";
import { PageHead } from "../page/Page.tsx";
import { lifeLabels } from "../record/lifecycle.tsx";
import { Status } from "../Status.tsx";

type Props = {
  name: string;
  parent: { label: string } & LinkProps;
};

/** Shown instead of the form of an archived record. */
export const ArchivedPage = ({ name, parent: { label, ...link } }: Props) => (
  <div className="record">
    <PageHead
      title={t`Edit ${name}`}
      parent={{ label, ...link }}
      meta={<Status status={lifeLabels.archived} loud />}
    />
    <Empty icon="archive" title={t`${name} is archived`}>
      <p>
        <Trans>
          <Link {...link} className="sentence-link">
            Restore it
          </Link>{" "}
          to make changes.
        </Trans>
      </p>
    </Empty>
  </div>
);
