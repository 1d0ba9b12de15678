// Rewrites the links of a document to what moves, and the relative links of a document that moves itself. All other bytes stay.

import { placeOfUrl } from '../model/paths/link-place.js'
import { addressesInCss, addressesInSrcset } from './many-addresses.js'
import { type AddressText, addressTextsOf, baseOf, toUrl } from './links-of.js'

const SITE = 'http://site.invalid'

export interface MovedLinks {
  /** The path of the document's URL, before and after; equal if it stays. */
  at: string
  to: string
  /** The new path of a URL for each place that moves. */
  moved: ReadonlyMap<string, string>
}

interface Edit {
  start: number
  end: number
  text: string
}

/** The URLs that addresses are relative to. */
interface Bases {
  before: URL
  after: URL
}

/** Returns the html with its links rewritten; undefined if none changes. */
export function rewriteLinks(html: string, move: MovedLinks): string | undefined {
  const { texts, base } = addressTextsOf(html)
  const [before, after] = [new URL(move.at, SITE), new URL(move.to, SITE)]
  const own = { before, after }
  // A base stays what it is, and all else is relative to it.
  const bases = base === undefined ? own : { before: baseOf(base, before), after: baseOf(base, before) }
  const edits = texts.flatMap((text) => editsOf(html, text, { move, bases: text.kind === 'base' ? own : bases }))
  if (edits.length === 0) return undefined
  let rewritten = ''
  let end = 0
  for (const edit of edits) {
    rewritten += html.slice(end, edit.start) + edit.text
    end = edit.end
  }
  return rewritten + html.slice(end)
}

function editsOf(
  html: string,
  { kind, start, end, text }: AddressText,
  aim: { move: MovedLinks; bases: Bases },
): Edit[] {
  const raw = html.slice(start, end)
  if (kind === 'address' || kind === 'base') return editAddress(raw, text, start, aim)
  // Within character references the places of addresses are not known.
  if (raw !== text) return []
  return kind === 'srcset' ? editSrcset(raw, start, aim) : editCss(raw, start, aim)
}

function editAddress(raw: string, text: string, start: number, aim: { move: MovedLinks; bases: Bases }): Edit[] {
  const found = relocate(text, aim)
  if (found === undefined) return []
  const lead = /^\s*/.exec(raw)?.[0].length ?? 0
  const { old, path, rest } = found
  const isPlain = raw.startsWith(old, lead)
  const [end, written] = isPlain ? [start + lead + old.length, path] : [start + raw.length, path + rest]
  return [{ start: start + lead, end, text: written.replaceAll('&', '&amp;') }]
}

function editSrcset(raw: string, start: number, aim: { move: MovedLinks; bases: Bases }): Edit[] {
  let from = 0
  return addressesInSrcset(raw).flatMap((address) => {
    const at = raw.indexOf(address, from)
    if (at < 0) return []
    from = at + address.length
    return editPath(address, start + at, aim)
  })
}

function editCss(raw: string, start: number, aim: { move: MovedLinks; bases: Bases }): Edit[] {
  return Array.from(addressesInCss(raw)).flatMap(({ address, at: from }) => {
    const at = raw.indexOf(address, from)
    return at < 0 ? [] : editPath(address, start + at, aim)
  })
}

function editPath(address: string, start: number, aim: { move: MovedLinks; bases: Bases }): Edit[] {
  const found = relocate(address, aim)
  if (found === undefined || !address.startsWith(found.old)) return []
  return [{ start, end: start + found.old.length, text: found.path }]
}

/** Returns the path of an address, its new one, and what follows it; undefined if it leads to the right place. */
function relocate(
  address: string,
  { move, bases }: { move: MovedLinks; bases: Bases },
): { old: string; path: string; rest: string } | undefined {
  const trimmed = address.trim()
  const old = trimmed.replace(/[?#].*$/s, '')
  const url = toUrl(trimmed, bases.before)
  // An address without a path means the document itself; one with a host is not of this site.
  if (old === '' || url?.origin !== SITE || /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(old)) return undefined
  const target = targetOf(url.pathname, move)
  if (target === undefined || toUrl(trimmed, bases.after)?.pathname === target) return undefined
  const isAbsolute = /^[/\\]/.test(old)
  const path = isAbsolute ? target : relativePath(bases.after.pathname, target)
  const safe = path.replaceAll(/['()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return { old, path: safe, rest: trimmed.slice(old.length) }
}

/** Returns where a link leads after the move; undefined if nothing about it changes. A link to `/a.html` becomes one to `/b.html`. */
function targetOf(pathname: string, { at, to, moved }: MovedLinks): string | undefined {
  const now = moved.get(placeOfUrl(pathname) ?? '')
  if (now === undefined) return at === to ? undefined : pathname
  if (!pathname.endsWith('.html') || now.endsWith('.html')) return now
  return now.endsWith('/') ? `${now}index.html` : `${now}.html`
}

function relativePath(base: string, target: string): string {
  const from = base.split('/').slice(1, -1)
  const to = target.split('/').slice(1)
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  const path = '../'.repeat(from.length - same) + to.slice(same).join('/')
  // A first name with a colon would be read as a scheme.
  return path === '' || /^[^/]*:/.test(path) || path.startsWith('/') ? `./${path}` : path
}
