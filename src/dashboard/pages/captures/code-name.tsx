/** The longest name of code in a table, characters. */
const longest = 120;

/** The end of a name that is too long, which identifies a method or class. */
export function ending(name: string, most: number): string {
  const characters = [...name];
  return characters.length <= most ? name : `…${characters.slice(1 - most).join("")}`;
}

/** A class or method as it was sent, as text. */
export function CodeName({ value, none = "unknown" }: { value: string | null; none?: string }) {
  if (value === null || value === "") return <span class="quiet">{none}</span>;
  return (
    <code>
      <bdi>{ending(value, longest)}</bdi>
    </code>
  );
}
