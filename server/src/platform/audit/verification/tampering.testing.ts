import pg from "pg";

/** Makes changes that only the owner of the tables can make, verifies, and rolls them back. */
export const openTampering = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    tampered: async (...statements: string[]) => {
      await client.query("begin; set local session_replication_role = replica");
      try {
        for (const statement of statements) await client.query(statement);
        return (await client.query("select what, number from audit_verify(1)")).rows[0];
      } finally {
        await client.query("rollback");
      }
    },
    close: () => client.end(),
  };
};
