/** Characters. */
const longest = 120;

/** Keeps the end of a long name, which identifies a method or class. */
export function ending(name: string, most: number): string {
  const characters = [...name];
  return characters.length <= most ? name : `…${characters.slice(1 - most).join("")}`;
}

/** The JVM's letters for elements of arrays of numbers. */
const elements: Readonly<Record<string, string>> = {
  B: "byte",
  C: "char",
  D: "double",
  F: "float",
  I: "int",
  J: "long",
  S: "short",
  Z: "boolean",
};

/** An array's class as in source code: `[B` becomes `byte[]`. Other names stay. */
export function asInSource(name: string): string {
  const [, brackets = "", letter = "", element = "", rest = ""] =
    /^(\[{1,255})(?:([BCDFIJSZ])|L([^;]{1,500});)(?=$| )(.{0,500})$/.exec(name) ?? [];
  return brackets === "" ? name : `${elements[letter] ?? element}${"[]".repeat(brackets.length)}${rest}`;
}

/** A class or method as text; arrays are named as in source code. */
export function CodeName({ value, none = "unknown" }: { value: string | null; none?: string }) {
  if (value === null || value === "") return <span class="quiet">{none}</span>;
  return (
    <code>
      <bdi>{ending(asInSource(value), longest)}</bdi>
    </code>
  );
}
