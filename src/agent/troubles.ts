import { failureCode } from "../core/failure-code.ts";
import { oneLine } from "./one-line.ts";

/** Reports each trouble once, again when its cause changes, and when it is over. */
export class Troubles {
  readonly #tell: (line: string) => void;
  readonly #known = new Map<string, string>();

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** `trouble` is a sentence without its end, such as `/x/pause.json cannot be read`. */
  note(trouble: string, error: unknown): void {
    const why = failureCode(error) ?? oneLine(error);
    if (this.#known.get(trouble) === why) return;
    this.#known.set(trouble, why);
    this.#tell(`${trouble} (${why}). The agent tries again.`);
  }

  /** Null after a failure, which is reported; the caller tries again later. */
  async attempt<T>([trouble, over]: readonly [string, string], act: () => Promise<T>): Promise<T | null> {
    try {
      const done = await act();
      this.over(trouble, over);
      return done;
    } catch (error) {
      this.note(trouble, error);
      return null;
    }
  }

  over(trouble: string, sentence: string): void {
    if (this.#known.delete(trouble)) this.#tell(sentence);
  }
}
