const lineFeed = 10;
const carriageReturn = 13;

/** Lines without their ends (`\n`, `\r\n` or `\r`), one by one, so that no list of them fills the memory. */
export function* textLines(text: string): Generator<string> {
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit !== lineFeed && unit !== carriageReturn) continue;
    yield text.slice(start, at);
    if (unit === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1;
    start = at + 1;
  }
  yield text.slice(start);
}
