import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../../core/errors.ts";

/** Argon2id with 19 MiB and two passes: the least that OWASP's password storage guide recommends. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Hashes at once in a process, and how many more may wait: a flood of them would fill memory. */
const atOnce = 2;
const mostWaiting = 40;
const retryAfterSeconds = 5;

/** Throws `rate_limited` while too many wait. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time if there is no hash. */
  matches(password: string, passwordHash: string | null): Promise<boolean>;
}

/** Keyboards compose the same text in different ways. */
const composed = (password: string): string => password.normalize("NFKC");

export const hashPassword = (password: string): Promise<string> => hash(composed(password), cost);

/** 128 random bits. */
export const newPassword = (): string => randomBytes(16).toString("base64url");

/** One for each process: two hashes at a time, in the order of the calls. */
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
