import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

const unreadBytesMax = 64 * 1024;

/** The stream of one reader. Nothing is written after its end. */
export const followStream = (raw: ServerResponse, onEnd: () => void) => {
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
    raw.end();
    // A reader that doesn't read would keep its connection forever.
    setTimeout(() => raw.destroy(), 2000).unref();
  };
  raw.on("error", end).on("close", end);
  return {
    end,
    write: (text: string) => {
      if (ended || raw.writableEnded || raw.destroyed || raw.writableLength > unreadBytesMax) end();
      else raw.write(text);
    },
  };
};
export type Follower = ReturnType<typeof followStream>;

/** Begins a reply that is a stream of events. */
export const startStream = (reply: FastifyReply) => {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream",
    "x-accel-buffering": "no",
    // A stream is the last reply on its connection, so the connection closes with it.
    connection: "close",
  });
  return reply.raw;
};
