import { fastify } from "fastify";
import { Redis } from "ioredis";

// The least that a check from a snapshot in Redis could cost: the framework, one GET and reading its JSON.
const redis = new Redis(process.env["REDIS_URL"] ?? "");
const app = fastify();
app.get("/", async (request) => {
  const { user } = request.query as { user: string };
  const text = await redis.get(`snapshot:${user}`);
  const known = JSON.parse(text ?? "null") as { grants: unknown[] } | null;
  return { allowed: known !== null && known.grants.length > 0 };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
