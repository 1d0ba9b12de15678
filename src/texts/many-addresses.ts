// Finds the addresses in texts that hold several: `srcset` and CSS. The time is linear in the length of the text.

/**
 * Finds comments and strings, which are passed over, `url(…)`, and `@import "…"`. A missing end is at the end of the text: then
 * nothing is read twice.
 */
const CSS =
  /\/\*(?:[\s\S]*?\*\/|[\s\S]*)|\burl\(\s*(?:"((?:[^"\\\n]|\\[\s\S])*)"?|'((?:[^'\\\n]|\\[\s\S])*)'?|((?:[^\s"'()\\]|\\[\s\S])*))|@import\s*(?:"((?:[^"\\\n]|\\[\s\S])*)"?|'((?:[^'\\\n]|\\[\s\S])*)'?)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/gi

/** Yields the addresses of a style sheet, or of a `style` attribute, with their positions. */
export function* addressesInCss(css: string): Generator<{ address: string; at: number }> {
  for (const { index, 1: double, 2: single, 3: bare, 4: imported, 5: singleImported } of css.matchAll(CSS)) {
    const text = double ?? single ?? bare ?? imported ?? singleImported ?? ''
    const address = unescapeCss(text).trim()
    // A fragment alone means a part of the document itself.
    if (address !== '' && !address.startsWith('#')) yield { address, at: index }
  }
}

function unescapeCss(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|\n|([\s\S]))/gi, (_, code?: string, itself?: string) => {
    const point = code === undefined ? 0 : Number.parseInt(code, 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : (itself ?? '')
  })
}

/** Returns the addresses of a `srcset` attribute (HTML §4.8.4.2.1): each ends at white space; descriptors follow up to a comma. */
export function addressesInSrcset(srcset: string): string[] {
  const addresses: string[] = []
  let isDescribed = false
  for (const word of srcset.split(/[\t\n\f\r ]+/)) {
    const comma = word.indexOf(',')
    if (isDescribed && comma < 0) continue
    const address: string = (isDescribed ? word.slice(comma) : word).replace(/^,+/, '')
    const isLast = !address.endsWith(',')
    isDescribed = address !== '' && isLast
    const plain = isLast ? address : withoutCommas(address)
    if (plain !== '') addresses.push(plain)
  }
  return addresses
}

function withoutCommas(address: string): string {
  let end = address.length
  while (address[end - 1] === ',') end -= 1
  return address.slice(0, end)
}
