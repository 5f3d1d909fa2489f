/** What the head of a JVM's fatal error file (`hs_err_pid…`) tells. */
export interface FatalError {
  /** True where the JVM ended for lack of memory, in its heap or from the system. */
  readonly forMemory: boolean;
  /** One line: the signal with the frame it hit, or the JVM's own sentence. */
  readonly what: string;
}

/** The words stand among the first lines; the rest describes threads and libraries, bytes. */
export const fatalErrorHeadBytes = 8 * 1024;

const titles = ["A fatal error has been detected", "There is insufficient memory"];
const signal = /^(SIG[A-Z]{2,8}) \(0x[0-9a-f]{1,8}\) at pc=/;
const ownWords = "fatal error: ";
const noMemory = ["There is insufficient memory", "Out of Memory Error", "OutOfMemory encountered"];
/** The place in memory only makes the line long. */
const place = /^\+?0x[0-9a-f]{5,16}$/;

/** Null for a file of another form. */
export function fatalErrorIn(head: string): FatalError | null {
  const lines = head.split("\n").map((line) => (line.startsWith("#") ? line.slice(1).trim() : ""));
  if (!lines.some((line) => titles.some((title) => line.startsWith(title)))) return null;
  const words = lines.find((line) => line.startsWith(ownWords))?.slice(ownWords.length, 300);
  if (lines.some((line) => noMemory.some((each) => line.includes(each)))) {
    const what = words?.replace("OutOfMemory encountered: ", "") ?? "the system gave its JVM no more memory";
    return { forMemory: true, what };
  }
  const name = lines.map((line) => signal.exec(line)?.[1]).find((each) => each !== undefined);
  const frameAt = lines.indexOf("Problematic frame:");
  const frame = frameAt < 0 ? "" : (lines[frameAt + 1] ?? "").slice(0, 300);
  const where = frame
    .split(" ")
    .filter((word) => word !== "" && !place.test(word))
    .join(" ");
  const what = name ?? words ?? "a fatal error";
  return { forMemory: false, what: where === "" ? what : `${what} in ${where}` };
}
