/** Every place where the count can change; each alternative begins with its own fixed characters. */
const events =
  /https?:\/\/(?=[^\s<>"'`()\]])|www\.(?=[\p{L}\p{N}])|\]\([^\S\n]*<?(?=[^\s<>)])|\[|[\s<>"'`)\]]/giu;

const wordCharacter = /[\p{L}\p{N}_]/u;
/** After these characters, an address is part of the address before: `web.archive.org/web/https://…`. */
const continuesAddress = /[/=?&#.:@-]/;

/**
 * Counts each `http://`, `https://` or `www.` address in any case, and each Markdown link or image
 * `[text](target)`. An address in the path or query of another belongs to it; a Markdown link whose text is
 * an address is one link, but several addresses in its text count one by one.
 */
export const countLinks = (text: string): number => {
  let count = 0;
  let isInAddress = false;
  let bracketAt = -1;
  let linkAt = -1;
  let targetAt = -1;
  for (const { 0: found, index } of text.matchAll(events)) {
    if (found === "[") {
      if (!isInAddress) bracketAt = index;
    } else if (found.startsWith("](")) {
      isInAddress = bracketAt >= 0;
      if (!isInAddress) continue;
      if (linkAt <= bracketAt) count += 1;
      linkAt = index;
      targetAt = index + found.length;
      bracketAt = -1;
    } else if (found.length === 1) {
      isInAddress = false;
    } else {
      const before = text[index - 1] ?? "";
      const isWithinWord = found.length === 4 && wordCharacter.test(before);
      const isPart = index === targetAt || (isInAddress && continuesAddress.test(before));
      if (isWithinWord) continue;
      if (!isPart) count += 1;
      linkAt = index;
      isInAddress = true;
    }
  }
  return count;
};
