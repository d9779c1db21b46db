import { isKeyRefused } from "./error.ts";
import { backoff, type Transport } from "./transport.ts";
import type { Environment } from "./types.ts";

type Changes = readonly string[] | "all";

/** Without a sign of life for this long, the connection is opened again. Purser sends one every 15 s. */
const silenceMs = 40_000;

/** The changes in the complete events of a text, and what is left of it. */
const changesIn = (text: string) => {
  const events = text.split("\n\n");
  const rest = events.pop() ?? "";
  const changes = events.flatMap((event): Changes[] => {
    const data = /^event: changes\ndata: (.*)$/m.exec(event)?.[1];
    return data === undefined ? [] : [JSON.parse(data).customers];
  });
  return { changes, rest };
};

type Live = {
  transport: Transport;
  environment: Environment;
  onChanges: (changes: Changes) => void;
  onError: ((error: Error) => void) | undefined;
};

/** Follows the changes that Purser announces. After a gap, every answer may have changed. */
export const followChanges = ({ transport, environment, onChanges, onError }: Live) => {
  const stopped = new AbortController();

  const read = async (onOpen: () => void) => {
    const quiet = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = () => {
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), silenceMs);
    };
    hear();
    try {
      const signal = AbortSignal.any([stopped.signal, quiet.signal]);
      const { body } = await transport.open({ path: "/changes" }, signal);
      onOpen();
      onChanges("all");
      const decoder = new TextDecoder();
      let text = "";
      const reader = body?.getReader();
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        hear();
        const { changes, rest } = changesIn(text + decoder.decode(part.value, { stream: true }));
        text = rest;
        changes.forEach(onChanges);
      }
    } finally {
      clearTimeout(timer);
    }
  };

  const follow = async () => {
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      await read(() => {
        failures = 0;
      }).catch((error: Error) => {
        if (stopped.signal.aborted) return;
        if (failures === 0 || isKeyRefused(error)) onError?.(error);
      });
      if (!stopped.signal.aborted)
        await environment.sleep(backoff(failures, 30_000, environment.random));
    }
  };
  void follow();
  return () => stopped.abort();
};
