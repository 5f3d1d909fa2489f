/** Code that wraps only at spaces, never after a hyphen or slash inside a word. */
export function Words({ of, id }: { of: string; id?: string }) {
  return (
    <code id={id}>
      {of.split(/(\s+)/).map((word, index, { length }) =>
        length > 1 && /[-/]/.test(word) ? (
          <span key={index} class="word">
            {word}
          </span>
        ) : (
          word
        ),
      )}
    </code>
  );
}
