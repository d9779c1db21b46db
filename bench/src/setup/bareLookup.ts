import { fastify } from "fastify";
import pg from "pg";
import { lookupStatement } from "./lookupStatement.ts";
import { productName } from "./product.ts";

// The least that a check without memory can cost: the framework and one prepared statement.
const pool = new pg.Pool({
  connectionString: process.env["DATABASE_URL"],
  max: 10,
  // So that the time of its backends is measured, too.
  application_name: productName,
});
const app = fastify();
app.get("/", async (request) => {
  const { user } = request.query as { user: string };
  const { rows } = await pool.query({ name: "lookup", ...lookupStatement(user) });
  return { allowed: rows.length > 0 };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
