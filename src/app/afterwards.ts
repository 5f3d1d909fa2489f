import type { AccountPolicy } from "./access/account-policy.ts";

/** Work that goes on after its caller was answered; `finished` resolves when all of it has ended. */
export function afterwards(report: (error: unknown) => void): {
  readonly run: AccountPolicy["afterwards"];
  readonly finished: () => Promise<unknown>;
} {
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      const done = Promise.resolve()
        .then(work)
        .catch(report)
        .finally(() => running.delete(done));
      running.add(done);
    },
    finished: () => Promise.all(running),
  };
}
