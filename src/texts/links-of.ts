// Finds the links of a document to its own site.

import { QuoteType, Tokenizer } from 'htmlparser2'

/** Bytes of one page that are parsed for links. */
const MAX_PARSED_BYTES = 1024 * 1024
/** The most addresses of one page that are looked at. */
const MAX_ADDRESSES = 5_000
/** The attribute that holds the address, by element. */
const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['iframe', 'src'],
  ['img', 'src'],
  ['link', 'href'],
  ['script', 'src'],
  ['source', 'src'],
  ['video', 'src'],
  ['audio', 'src'],
])

export interface Links {
  /** Paths of URLs, each once, with the character position of the first link to it. */
  paths: Map<string, number>
  /** The part of the page that was read. */
  text: string
  /** False if the page is longer, or has more addresses, than are looked at. */
  isComplete: boolean
}

/** Returns the paths within the site that a document at `pagePath` links to. The time is linear in its length, also for deep nesting. */
export function linksOf(html: Uint8Array, pagePath: string): Links {
  const page = new URL(pagePath, 'http://site.invalid')
  const text = new TextDecoder().decode(html.subarray(0, MAX_PARSED_BYTES))
  const { addresses, isComplete } = addressesOf(text)
  const paths = new Map<string, number>()
  for (const [address, at] of addresses) {
    const url = toUrl(address, page)
    if (url?.origin === page.origin && !paths.has(url.pathname)) paths.set(url.pathname, at)
  }
  return { paths, text, isComplete: isComplete && html.length <= MAX_PARSED_BYTES }
}

function toUrl(address: string, page: URL): URL | undefined {
  try {
    return new URL(address, page)
  } catch {
    return undefined
  }
}

/**
 * Finds the addresses by the tokenizer alone: the parser's stack of open elements takes quadratic time on deep nesting, and links need
 * none.
 */
function addressesOf(html: string): { addresses: Map<string, number>; isComplete: boolean } {
  const addresses = new Map<string, number>()
  let startsAt = 0
  let wanted: string | undefined
  let isWanted = false
  let value = ''
  let isComplete = true
  const nothing = () => undefined
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => (wanted = ADDRESSES.get(html.slice(start, end).toLowerCase())),
      onattribname(start, end) {
        isWanted = wanted !== undefined && html.slice(start, end).toLowerCase() === wanted
        value = ''
        startsAt = start
      },
      onattribdata: (start, end) => void (isWanted && (value += html.slice(start, end))),
      onattribentity: (codePoint) => void (isWanted && (value += String.fromCodePoint(codePoint))),
      onattribend(quote) {
        if (!isWanted || quote === QuoteType.NoValue) return
        if (!addresses.has(value)) addresses.set(value, startsAt)
        // If an attribute occurs twice, the first one counts.
        wanted = undefined
        if (addresses.size < MAX_ADDRESSES) return
        isComplete = false
        tokenizer.pause()
      },
      onclosetag: nothing,
      onopentagend: nothing,
      onselfclosingtag: nothing,
      ontext: nothing,
      ontextentity: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return { addresses, isComplete }
}
