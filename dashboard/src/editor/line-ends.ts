// Keeps the line ends of a text that is edited: CodeMirror has only line feeds. Without it, one edit would change every line.

export class LineEnds {
  #hasReturns = false

  constructor(text: string) {
    this.take(text)
  }

  /** Takes a new text. If its line ends differ, all become line feeds once it is edited. */
  take(text: string): void {
    this.#hasReturns = text.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(text)
  }

  /** Returns the edited text with the line ends of the text that was taken. */
  put(edited: string): string {
    return this.#hasReturns ? edited.replaceAll('\n', '\r\n') : edited
  }
}
