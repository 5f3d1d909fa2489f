/** A command or code whose words break at their blanks alone: never after a hyphen that belongs to a word. */
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
