// Origins of web pages, as browsers send them in the `Origin` field (HTML standard, "Origin"; Fetch standard §3.2).

/**
 * Whether the text is an origin: `https://app.example`, `http://localhost:5173`. That is scheme, host and a port that is not the
 * scheme's own, in lower case. A star, which the URL standard takes for a letter, is refused: it would look like a pattern.
 */
export function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
