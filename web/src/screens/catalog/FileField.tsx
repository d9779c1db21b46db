import { t } from "@lingui/core/macro";
import { Button, Textarea } from "@mantine/core";
import { catalogTextMax } from "@purser/contract/catalog/catalog";
import { type DragEvent, type RefObject, useRef, useState } from "react";
import { number } from "#lib/intl.ts";
import { Icon } from "#ui/Icon.tsx";

const tooLong = (name: string) => {
  const limit = number(catalogTextMax);
  return t`${name} has more than ${limit} characters. Choose a smaller file.`;
};

type Props = {
  source: string;
  textArea: RefObject<HTMLTextAreaElement | null>;
  onChange: (source: string) => void;
  /** Called when a file is chosen or dropped. */
  onFile: (source: string) => void;
};

/** A file that is chosen, dropped or pasted; its text can be edited. */
export const FileField = ({ source, textArea, onChange, onFile }: Props) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  const take = async (file: File | undefined) => {
    if (!file) return;
    const isLarge = file.size > catalogTextMax * 4;
    const text = isLarge ? "" : await file.text();
    if (isLarge || text.length > catalogTextMax) return setRefusal(tooLong(file.name));
    setRefusal(null);
    onFile(text);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button is accessible.
    <div
      className="catalog-file"
      {...(isOver && { "data-over": true })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="catalog-choose">
        <Button
          variant="default"
          leftSection={<Icon name="upload" />}
          onClick={() => input.current?.click()}
        >
          {t`Choose file`}
        </Button>
        <span className="softer">{t`or drop it here, or paste its content below`}</span>
        <input
          ref={input}
          type="file"
          hidden
          accept=".yaml,.yml,.json,application/yaml,application/json"
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0]);
            // Allows choosing the same file again after it was edited.
            currentTarget.value = "";
          }}
        />
      </div>
      <Textarea
        ref={textArea}
        className="mono-input"
        label={t`File content`}
        value={source}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={refusal}
        rows={14}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
      />
    </div>
  );
};
