// Leaves out characters that nobody sees, in which a text can be hidden from people but not from programs.

/** Control and format characters and tag letters; except line breaks, tabs, and the joiners of scripts and emoji. */
const INVISIBLE = /(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}\u{e0000}-\u{e007f}]/gu

/** Variation selectors after the first: one chooses the form of a character, and more have no meaning. */
const MORE_SELECTORS = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '').replace(MORE_SELECTORS, '')
}
