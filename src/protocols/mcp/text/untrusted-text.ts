// Makes text of others safe within a tool's text: it can never pass for a row, a cursor, an instruction or a refusal. Structured content
// needs none of this, because JSON keeps every value in its place.

import { randomBytes } from 'node:crypto'

const MAX_QUOTED_CHARACTERS = 120
const MAX_WORD_CHARACTERS = 200

/**
 * Line breaks, and control and format characters, also bidirectional and invisible ones, except the joiners of scripts and emoji. Also the
 * whole block of tags, some of which have no meaning yet.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{E0000}-\u{E007F}]/gu

/** Returns a title or name as one JSON string, without unsafe characters, cut when it is long. */
export function quoted(text: string): string {
  const safe = text.replace(UNSAFE, '')
  return JSON.stringify(safe.length > MAX_QUOTED_CHARACTERS ? `${cut(safe)}…` : safe)
}

/** Returns a path or address unchanged if it is one word and not very long, otherwise as a JSON string. */
export function word(text: string): string {
  return text.length <= MAX_WORD_CHARACTERS && /^[^\s"'\p{C}]+$/u.test(text) ? text : quoted(text)
}

/** Returns any value as JSON on one line, with unsafe characters escaped: nothing is lost. */
export function json(value: unknown): string {
  return JSON.stringify(value ?? null).replace(UNSAFE, (character) =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** Returns a sentence on one line. */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, ' ')
}

/** Returns the text exactly as it is, between tags that it cannot contain, because their number is new with every answer. */
export function fenced(name: string, text: string): string {
  const tag = `${name}-${randomBytes(8).toString('hex')}`
  return `<${tag}>\n${text}${text.endsWith('\n') ? '' : '\n'}</${tag}>`
}

/** Cuts the text, but never between the halves of a surrogate pair. */
function cut(text: string): string {
  return text.slice(0, MAX_QUOTED_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
}
