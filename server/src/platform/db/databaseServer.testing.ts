/** Where tests and benchmarks create their databases. */
export const databaseServer =
  process.env["TEST_DATABASE_URL"] ?? "postgres://root@127.0.0.1:5432/postgres";
