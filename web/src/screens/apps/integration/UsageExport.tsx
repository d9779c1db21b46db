import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { exportAppUsage } from "@purser/contract/usage/endpoints";
import { useState } from "react";
import { addressOf } from "#lib/api/call.ts";
import { type LastDays, lastDays, lastDaysOptions } from "#lib/time/lastDays.ts";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Section } from "#ui/page/Page.tsx";
import type { App } from "../queries.ts";

/** What all customers used of the app, as a file. */
export const UsageExport = ({ app: { id } }: { app: App }) => {
  const [days, setDays] = useState<LastDays>("30");
  const file = addressOf(exportAppUsage.path, {
    params: { id },
    query: { ...lastDays(days), format: "csv" },
  });
  return (
    <Section
      title={t`Usage`}
      note={t`By feature, day and customer`}
      actions={
        <Button
          variant="default"
          size="compact-sm"
          component="a"
          {...downloadLink(file)}
          leftSection={<Icon name="download" size={14} />}
        >
          {t`Download CSV`}
        </Button>
      }
    >
      <Segments
        legend={t`Period`}
        name="usage-period"
        value={days}
        options={lastDaysOptions}
        onChange={setDays}
      />
    </Section>
  );
};
