/** The longest name of code in a table, characters. */
const longest = 120;

/** The end of a name that is too long, which identifies a method or class. */
export function ending(name: string, most: number): string {
  const characters = [...name];
  return characters.length <= most ? name : `…${characters.slice(1 - most).join("")}`;
}

/** Letters by which the JVM names the elements of an array of numbers. */
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

/** The name of an array's class as source code writes it, such as `byte[]` for `[B`; another name is unchanged. */
export function asInSource(name: string): string {
  const [, brackets = "", letter = "", element = "", rest = ""] =
    /^(\[{1,255})(?:([BCDFIJSZ])|L([^;]{1,500});)(?=$| )(.{0,500})$/.exec(name) ?? [];
  return brackets === "" ? name : `${elements[letter] ?? element}${"[]".repeat(brackets.length)}${rest}`;
}

/** A class or method as it was sent, as text; arrays are named as in source code. */
export function CodeName({ value, none = "unknown" }: { value: string | null; none?: string }) {
  if (value === null || value === "") return <span class="quiet">{none}</span>;
  return (
    <code>
      <bdi>{ending(asInSource(value), longest)}</bdi>
    </code>
  );
}
