/** Writes one line on a terminal, and nothing in a pipe. */
export interface TransferProgress {
  tell(words: string): void;
  /** Clears the line. */
  end(): void;
}

/** Time between two changes of the line, ms. */
const quietMs = 100;

type Terminal = Pick<NodeJS.WriteStream, "isTTY" | "write">;

export function progressOn(stream: Terminal = process.stderr): TransferProgress {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    tell: (words) => {
      const now = performance.now();
      if (!stream.isTTY || now - shownAt < quietMs) return;
      shownAt = now;
      stream.write(`\r${words}\u001B[K`);
    },
    end: () => {
      if (shownAt > 0) stream.write("\r\u001B[K");
    },
  };
}

const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  const shown = bytes / 1000 ** power;
  return `${shown.toFixed(power > 0 && shown < 10 ? 1 : 0)} ${units[power]}`;
}
