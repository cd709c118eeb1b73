/** A tag around what a model thinks aloud. Its bounds keep the search linear. */
const tag = /<\s{0,9}(\/?)\s{0,9}think(?:ing)?(?:[\s/][^<>]{0,200})?>/i;
const longestTag = 240;

/**
 * The text of an answer without what the model thinks aloud, as it arrives piece by piece: neither what stands between
 * `<think>` or `<thinking>` and its end, nor all before a closing tag that was never opened.
 */
export class AnswerText {
  /** The answer so far, without the beginning of what may become a tag. */
  text = "";
  /** How often a closing tag has shown that the text before it was no answer. */
  restarts = 0;
  #rest = "";
  /** What the model thinks since the last opening tag, with the tag. */
  #thought = "";
  #isBlank = true;
  #isThinking = false;
  #hasThought = false;

  add(piece: string): void {
    this.#rest += piece;
    for (let found = tag.exec(this.#rest); found; found = tag.exec(this.#rest)) {
      this.#keep(this.#rest.slice(0, found.index));
      this.#rest = this.#rest.slice(found.index + found[0].length);
      if (found[1]) this.#endThought();
      else if (!found[0].endsWith("/>")) this.#startThought(found[0]);
    }
    const end = tagMayBeginAt(this.#rest);
    this.#keep(this.#rest.slice(0, end));
    this.#rest = this.#rest.slice(end);
  }

  /** Takes what looked like the beginning of a tag as text, and so a thought inside the text that never ended. */
  end(): void {
    this.#keep(this.#rest);
    this.#rest = "";
    if (!this.#isThinking || this.#isBlank) return;
    this.#isThinking = false;
    this.#keep(this.#thought);
  }

  #startThought(openingTag: string): void {
    if (!this.#isThinking) this.#thought = "";
    this.#thought += openingTag;
    this.#isThinking = true;
  }

  #endThought(): void {
    if (!this.#isThinking) {
      this.text = "";
      this.#isBlank = true;
      this.restarts += 1;
    }
    this.#isThinking = false;
    this.#hasThought = true;
  }

  #keep(text: string): void {
    if (this.#isThinking) {
      this.#thought += text;
      return;
    }
    this.text = this.#isBlank && this.#hasThought ? text.trimStart() : this.text + text;
    this.#isBlank &&= text.trim() === "";
  }
}

/** Where a tag begins whose end may still come; the length of the text when it ends in no such beginning. */
function tagMayBeginAt(text: string): number {
  const at = text.lastIndexOf("<");
  if (at < 0 || text.length - at > longestTag) return text.length;
  const inside = text
    .slice(at + 1)
    .replace(/^\s{0,9}\/?\s{0,9}/, "")
    .toLowerCase();
  return "thinking".startsWith(inside) || /^think(?:ing)?[\s/][^<>]*$/.test(inside) ? at : text.length;
}
