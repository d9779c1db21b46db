import { fastify } from "fastify";

// The floor: what the framework alone costs, without anything of ours before or behind the route.
const app = fastify();
app.get("/", async () => ({ status: "ok" }));
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
