// Origins of web pages, as browsers send them in the `Origin` field (HTML standard, "Origin"; Fetch standard §3.2).

/**
 * `https://app.example`, `http://localhost:5173`: scheme, host and a port that is not the scheme's own, in lower case. A star, which
 * the URL standard takes for a letter, would be taken for a pattern.
 */
export function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
