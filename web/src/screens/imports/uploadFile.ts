import { t } from "@lingui/core/macro";
import {
  createImport,
  type ImportKind,
  uploadImportPart,
} from "@purser/contract/workspace/imports";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { encodingOf } from "./encoding.ts";

/** Small parts, because the server keeps several times as much in memory until a part is stored. */
const partBytes = 200_000;

type Upload = {
  kind: ImportKind;
  file: File;
  signal: AbortSignal;
  onProgress: (share: number) => void;
};

/** Sends a file in parts, which need little memory and no long request. Returns the id of the import. */
export const uploadFile = async ({ kind, file, signal, onProgress }: Upload) => {
  if (file.size === 0) throw new UserFacingError(t`This file is empty. Choose another one.`);
  const { id } = await call(createImport, {
    body: { kind, name: file.name.slice(0, 200) },
    signal,
  });
  const decoder = new TextDecoder(await encodingOf(file));
  for (let from = 0, part = 1; from < file.size; from += partBytes, part += 1) {
    const isLast = from + partBytes >= file.size;
    const bytes = await file.slice(from, from + partBytes).arrayBuffer();
    const text = decoder.decode(bytes, { stream: !isLast });
    await call(uploadImportPart, {
      params: { id, part: String(part) },
      body: { text, isLast },
      signal,
    });
    onProgress(Math.min(1, (from + partBytes) / file.size));
  }
  return id;
};
