/** A command or code that wraps only at spaces, never after a hyphen inside a word. */
export function Words({ of }: { of: string }) {
  return (
    <code>
      {of.split(" ").flatMap((word, index) => [
        index > 0 && " ",
        <span key={index} class="word">
          {word}
        </span>,
      ])}
    </code>
  );
}
