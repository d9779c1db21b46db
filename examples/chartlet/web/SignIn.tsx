import { type FormEvent, useState } from "react";
import { call } from "./api.ts";

/** Creates an account, or opens one that exists. */
export const SignIn = ({ onDone }: { onDone: () => Promise<void> }) => {
  const [isNew, setIsNew] = useState(true);
  const [error, setError] = useState("");
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget));
    try {
      await call("POST", isNew ? "/sign-up" : "/sign-in", fields);
      await onDone();
    } catch (refused) {
      setError((refused as Error).message);
    }
  };
  return (
    <form className="card narrow" onSubmit={submit}>
      <h1>{isNew ? "Create an account" : "Sign in"}</h1>
      {isNew && (
        <label>
          Name
          <input name="name" autoComplete="name" required />
        </label>
      )}
      <label>
        Email
        <input name="email" type="email" autoComplete="email" required />
      </label>
      <label>
        Password
        <input
          name="password"
          type="password"
          autoComplete={isNew ? "new-password" : "current-password"}
          minLength={8}
          required
        />
      </label>
      <p role="alert">{error}</p>
      <button type="submit">{isNew ? "Create account" : "Sign in"}</button>
      <button type="button" className="plain" onClick={() => setIsNew(!isNew)}>
        {isNew ? "I have an account" : "I need an account"}
      </button>
    </form>
  );
};
