import { fastify } from "fastify";
import pg from "pg";

// The least that a check without memory can cost: the framework and one prepared statement.
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 10 });
const app = fastify();
app.get("/", async (request) => {
  const { user } = request.query as { user: string };
  const { rows } = await pool.query({
    name: "lookup",
    text: "select g.id, g.ends_at from users u join grants g on g.user_id = u.id where u.email = $1 limit 1",
    values: [user],
  });
  return { allowed: rows.length > 0 };
});
await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"]) });
