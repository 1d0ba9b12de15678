// Finds the references in a document or a stylesheet, as URLs within its own site.

import { Parser } from 'htmlparser2'

/** Attributes that hold one URL, by element; `*` is any. */
const URL_ATTRIBUTES: ReadonlySet<string> = new Set([
  'a href',
  'area href',
  'link href',
  'img src',
  'script src',
  'iframe src',
  'source src',
  'video src',
  'video poster',
  'audio src',
  'track src',
  'embed src',
  'object data',
])
const CSS_URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')/g

/** Paths with their queries, percent-encoded, each once; `base` is the document's URL. */
export function referencesOf(type: string, text: string, base: string): Set<string> {
  const found = new Set<string>()
  const add = (reference: string, from: string) => {
    const url = URL.canParse(reference, from) ? new URL(reference, from) : undefined
    if (url !== undefined && url.host === new URL(base).host) found.add(`${url.pathname}${url.search}`)
  }
  if (type.startsWith('text/css')) for (const url of urlsOfCss(text)) add(url, base)
  if (type.startsWith('text/html')) readDocument(text, base, add)
  return found
}

function readDocument(html: string, base: string, add: (reference: string, from: string) => void): void {
  let from = base
  let isStyle = false
  const parser = new Parser({
    onopentag(name, attributes) {
      isStyle = name === 'style'
      if (name === 'base' && attributes['href'] !== undefined) from = new URL(attributes['href'], base).href
      for (const [attribute, value] of Object.entries(attributes)) {
        if (URL_ATTRIBUTES.has(`${name} ${attribute}`)) add(value.trim(), from)
        if (attribute === 'srcset') for (const part of value.split(/,\s+/)) add(part.trim().split(/\s/)[0] ?? '', from)
        if (attribute === 'style') for (const url of urlsOfCss(value)) add(url, from)
      }
    },
    ontext(text) {
      if (isStyle) for (const url of urlsOfCss(text)) add(url, from)
    },
    onclosetag: () => (isStyle = false),
  })
  parser.end(html)
}

function urlsOfCss(css: string): string[] {
  return [...css.matchAll(CSS_URL)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
}
