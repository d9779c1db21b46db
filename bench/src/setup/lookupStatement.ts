/** The least that a check without memory has to read. */
export const lookupStatement = (user: string) => ({
  text: "select g.id, g.ends_at from users u join grants g on g.user_id = u.id where u.email = $1 limit 1",
  values: [user],
});
