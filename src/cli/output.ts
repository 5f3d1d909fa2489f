/** 0 done, 1 refused or failed, 2 used or configured wrongly. */
export const exitStatus = { done: 0, failed: 1, usage: 2 } as const;

/** Exit statuses of `check`; `notAsked` also for the verdict unknown. */
export const checkStatus = { healthy: 0, degraded: 1, critical: 2, notAsked: 3 } as const;

/** A failure that the operator can fix; the message is one line that says what to do. */
export class CommandError extends Error {
  readonly status: number;
  constructor(message: string, status: number = exitStatus.failed) {
    super(message);
    this.name = "CommandError";
    this.status = status;
  }
}

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

export const printError = (line: string): void => void process.stderr.write(`${line}\n`);

export function printResult(json: boolean, value: unknown, words: readonly string[]): void {
  if (json) printLine(JSON.stringify(value));
  else for (const line of words) printLine(line);
}
