import { expect, it } from "vitest";
import { requireOneHost } from "../../../src/store/engine/postgres-address.ts";

it.each([
  "postgres://tickmark@db.example/tickmark",
  "postgresql://tickmark:a,b@db.example:5432/tickmark?sslmode=require",
  "postgres://tickmark@[::1]:5432/tickmark?target_session_attrs=any",
  "postgres:///tickmark?host=/run/postgresql",
])("[OUR-STO-82] %s is the address of one host", (url) => {
  expect(() => requireOneHost(url)).not.toThrow();
});

it.each([
  ["postgres://tickmark@one.example,two.example/tickmark", "not a list"],
  [
    "postgres://tickmark@one.example:5432,two.example:5433/tickmark?target_session_attrs=read-write",
    "not a list",
  ],
  ["postgres:///tickmark?host=one.example,two.example", "not a list"],
  [
    "postgres://tickmark@one.example/tickmark?target_session_attrs=read-write",
    "without target_session_attrs",
  ],
])("[OUR-STO-82] %s is refused", (url, why) => {
  expect(() => requireOneHost(url)).toThrow(why);
});
