import { fastify } from "fastify";

// The cost of the framework alone, as a lower bound.
const app = fastify();
app.get("/", async () => ({ status: "ok" }));
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
