import { Button } from "@mantine/core";
import { count } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { Icon } from "#ui/Icon.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Reference } from "#ui/record/Reference.tsx";
import type { Promotion } from "../queries.ts";
import type { Asking } from "../RowMenu.tsx";
import { codesFile } from "./GenerateCodes.tsx";

type Props = { promotion: Promotion; onAsk: (asking: Asking) => void };

/** The promotion's codes, and generating more of them. */
export const Codes = ({ promotion, onAsk }: Props) => {
  const mayWrite = useMay("promotions:write");
  const { code, codes, needsCode, status } = promotion;
  const apart = code === null ? codes : codes - 1;
  if (!needsCode)
    return (
      <Section title="Codes">
        <p className="soft">None is needed: it counts by itself for whoever may use it.</p>
      </Section>
    );
  return (
    <Section
      title="Codes"
      acts={
        mayWrite && (
          <span className="section-acts">
            {codes > 0 && (
              <Button
                component="a"
                href={codesFile(promotion)}
                download
                variant="default"
                size="xs"
                leftSection={<Icon name="download" size={14} />}
              >
                Download
              </Button>
            )}
            {status !== "archived" && (
              <Button
                variant="default"
                size="xs"
                leftSection={<Icon name="plus" size={14} />}
                onClick={() => onAsk({ about: "codes", promotions: [promotion] })}
              >
                Make codes
              </Button>
            )}
          </span>
        )
      }
    >
      {code !== null && (
        <p>
          <Reference value={code} what="the code" /> <span className="softer">for everybody</span>
        </p>
      )}
      {apart > 0 && <p className="soft">{count(apart, "code was", "codes were")} made apart.</p>}
      {codes === 0 && <p className="softer">There is none yet, so nobody can use it.</p>}
    </Section>
  );
};
