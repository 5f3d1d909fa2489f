import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";

/** Argon2id with 19 MiB and two passes: the least that OWASP's password storage guide recommends. */
export const hashPassword = (password: string): Promise<string> =>
  hash(password, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 });

/** A password nobody has to invent: 128 random bits. */
export const newPassword = (): string => randomBytes(16).toString("base64url");
