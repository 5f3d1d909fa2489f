/** MB in a GB, as -Xmx counts. */
export const mbInGb = 1024;

/** The number of an amount of memory in GB, such as `9.6`; what is there but rounds to nothing is `<0.1`. */
export function shownGb(mb: number, write: (gb: string) => string = (gb) => gb): string {
  const gb = Math.abs(mb) / mbInGb;
  if (mb !== 0 && gb < 0.05) return `${mb < 0 ? "\u2212" : ""}<${write("0.1")}`;
  return write((mb / mbInGb).toFixed(1));
}

/** An amount of memory for people, such as `9.6 GB`. Fields of the API have MB. */
export const shownMemory = (mb: number): string => `${shownGb(mb)} GB`;
