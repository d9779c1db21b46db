import type { Change } from "@purser/contract/workspace/liveChanges";

type State = { ended: boolean; missed: boolean; position: string };

const note = (event: string, told: Change[], state: State) => {
  const data = /^event: change\ndata: (.*)$/m.exec(event)?.[1];
  if (data) told.push(JSON.parse(data));
  if (event.startsWith("event: missed\n")) state.missed = true;
  state.position = /^id: (.*)$/m.exec(event)?.[1] ?? state.position;
};

/** Follows the stream of an instance like a browser, and collects the changes. */
export const follow = async (address: string, cookie: string, since?: string) => {
  const stop = new AbortController();
  const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
  const response = await fetch(`${address}/api/events${query}`, {
    headers: { cookie },
    signal: stop.signal,
  });
  const told: Change[] = [];
  const state: State = { ended: false, missed: false, position: "" };
  const read = async () => {
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) note(event, told, state);
    }
    state.ended = true;
  };
  read().catch(() => {
    state.ended = true;
  });
  return { response, told, state, stop: () => stop.abort() };
};
