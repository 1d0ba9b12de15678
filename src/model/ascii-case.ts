// Compares names of mail without regard to case, in ASCII alone: other letters that fold to ASCII ones, such as the Kelvin sign, are others.

/** Returns the text with A to Z in lower case. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
