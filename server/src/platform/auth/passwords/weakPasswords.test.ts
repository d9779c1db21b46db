import { setPassword } from "@purser/contract/auth/passwords";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { addPerson, newAddress } from "../testing.ts";
import { createLink } from "./passwordLinks.ts";

const product = await testProduct();
const { call, owner, platform } = product;

const resetToken = (userId: string) =>
  createLink(platform.db, { userId, purpose: "reset", now: platform.now() });

const set = (token: string, chosen: string) =>
  call(null, setPassword, { body: { token, password: chosen }, address: newAddress() });

/** The passwords that Margaret Oak with this address can choose. */
const acceptedOf = async (email: string, choices: string[]) => {
  const { id } = await addPerson(product);
  await owner.query("update users set email = $2, name = 'Margaret Oak' where id = $1", [
    id,
    email,
  ]);
  let token = await resetToken(id);
  const accepted = [];
  for (const choice of choices) {
    const { status, body } = await set(token, choice);
    if (status === 400) {
      expect(body["errors"]).toMatchObject([{ in: "body", pointer: "/password" }]);
    } else {
      accepted.push(choice);
      token = await resetToken(id);
    }
  }
  // A refusal does not use up the link.
  expect((await set(token, "seventeen copper lanterns")).status).toBe(204);
  return accepted;
};

test("T16 refuses short, common and patterned passwords and keeps the link", async () => {
  const choices = [
    ["short", "elevenchars", "password1234", "Password123!", "P@ssw0rd1234", "passwordpassword"],
    ["123456789012", "qwertyuiop12", "1q2w3e4r5t6y", "iloveyou1234", "letmein12345"],
    ["welcome12345", "changeme1234", "trustno1trustno1", "aaaaaaaaaaaa", "abcdefghijkl"],
  ].flat();
  expect(await acceptedOf("margaret.oak@common.example", choices)).toEqual([]);
});

test("T16 refuses a password with the user's own address", async () => {
  const email = "margaret.oak@harbour-lines.example";
  const choices = [
    email,
    `${email}1`,
    `my ${email}`,
    email.replace("margaret.oak", "MARGARET.OAK"),
    `xx-${email}-77`,
  ];
  expect(await acceptedOf(email, choices)).toEqual([]);
});

test("T16 refuses a password of the user's name and a year", async () => {
  const choices = ["margaret oak", "margaret.oak2026", "margaretoak2026", "MargaretOak!2026"];
  expect(await acceptedOf("margaret.oak@name.example", choices)).toEqual([]);
});
