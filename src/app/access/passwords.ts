import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../../core/errors.ts";

/** Argon2id with 19 MiB and two passes: the least that OWASP's password storage guide recommends. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Hashes a process works on at once, and how many more may wait: a flood of them would fill memory. */
const atOnce = 2;
const mostWaiting = 40;
const retryAfterSeconds = 5;

/** Keeps and checks passwords. Throws `rate_limited` while too many wait. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash to check against. */
  matches(password: string, passwordHash: string | null): Promise<boolean>;
}

/** The same text however a keyboard composes it. */
const composed = (password: string): string => password.normalize("NFKC");

export const hashPassword = (password: string): Promise<string> => hash(composed(password), cost);

/** A password nobody has to invent: 128 random bits. */
export const newPassword = (): string => randomBytes(16).toString("base64url");

/** A process's one place for hashes: two at a time, in the order asked. */
export function passwords(): Passwords {
  const inTurn = limited();
  let nobodys: Promise<string> | null = null;
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    matches: (password, passwordHash) =>
      inTurn(async () => {
        nobodys ??= hashPassword(newPassword());
        const right = await verify(passwordHash ?? (await nobodys), composed(password));
        return right && passwordHash !== null;
      }),
  };
}

function limited(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) {
        const words = "Too many people are signing in at the moment. Wait a few seconds, then try again.";
        throw new Refusal("rate_limited", words, {}, retryAfterSeconds);
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
