import { plural, t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { downloadLink } from "#ui/page/downloads.ts";
import { Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import type { Promotion } from "../queries.ts";
import type { Asking } from "../RowMenu.tsx";
import { codesFile } from "./GenerateCodes.tsx";

type Props = { promotion: Promotion; onAsk: (asking: Asking) => void };

/** The promotion's codes, and generating more of them. */
export const Codes = ({ promotion, onAsk }: Props) => {
  const mayWrite = useMay("promotions:write");
  const mayExport = useMay("promotions:export");
  const { code, codes, requiresCode, status } = promotion;
  const generated = code === null ? codes : codes - 1;
  if (!requiresCode)
    return (
      <Section title={t`Codes`}>
        <p className="soft">{t`No code required. The discount applies automatically to eligible customers.`}</p>
      </Section>
    );
  return (
    <Section
      title={t`Codes`}
      actions={
        mayWrite && (
          <span className="section-actions">
            {codes > 0 && mayExport && (
              <Button
                component="a"
                {...downloadLink(codesFile(promotion))}
                variant="default"
                size="xs"
                leftSection={<Icon name="download" size={14} />}
              >
                {t`Download`}
              </Button>
            )}
            {status !== "archived" && (
              <Button
                variant="default"
                size="xs"
                leftSection={<Icon name="plus" size={14} />}
                onClick={() => onAsk({ about: "codes", promotions: [promotion] })}
              >
                {t`Generate codes`}
              </Button>
            )}
          </span>
        )
      }
    >
      {code !== null && (
        <p>
          <Reference value={code} copyLabel={t`Copy code`} />{" "}
          <span className="softer">{t`Shared code`}</span>
        </p>
      )}
      {generated > 0 && (
        <p className="soft">
          {plural(generated, { one: "# generated code", other: "# generated codes" })}
        </p>
      )}
      {codes === 0 && (
        <p className="softer">{t`No codes yet. Customers need a code to use this promotion.`}</p>
      )}
    </Section>
  );
};
