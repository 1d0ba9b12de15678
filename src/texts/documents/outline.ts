// Finds the headings of an HTML document, and the section below one of them.

import { lineAt, lineStartsOf } from '../../model/text-parts.js'
import { readTags } from './read-tags.js'

export interface Heading {
  level: number
  /** White space is collapsed; at most 200 characters. */
  text: string
  /** Id of the heading, or of the first element in it that has one. */
  id: string | undefined
  /** The offset of its tag. */
  start: number
}

const MAX_HEADING_CHARACTERS = 200
const LEVEL = /^h([1-6])$/

export function findHeadings(html: string): Heading[] {
  const headings: Heading[] = []
  let open: Heading | undefined
  readTags(html, {
    open(name, attributes, start) {
      const [, level] = LEVEL.exec(name) ?? []
      if (level !== undefined) {
        open = { level: Number(level), text: '', id: undefined, start }
        headings.push(open)
      }
      if (open !== undefined) open.id ??= attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined)
    },
    close(name) {
      if (LEVEL.test(name)) open = undefined
    },
    text(text) {
      if (open !== undefined && open.text.length < MAX_HEADING_CHARACTERS) open.text += text
    },
  })
  for (const heading of headings) heading.text = collapse(heading.text).slice(0, MAX_HEADING_CHARACTERS)
  return headings
}

/** Lists one heading on each line: `120 ## Text #id`, with its line number. */
export function outlineOf(html: string): string {
  const starts = lineStartsOf(html)
  return findHeadings(html)
    .map(({ level, text, id, start }) => {
      const anchor = id === undefined ? '' : ` #${id}`
      return `${lineAt(starts, start)} ${'#'.repeat(level)} ${text}${anchor}\n`
    })
    .join('')
}

/**
 * Returns the part from the heading with this text or `#id` up to the next one of its level or above. Takes the first heading that fits,
 * whole or in part; undefined if none does.
 */
export function sectionOf(html: string, wanted: string): { start: number; end: number } | undefined {
  const headings = findHeadings(html)
  const [name, id] = [collapse(wanted).toLowerCase(), wanted.replace(/^#/, '')]
  const index = [
    headings.findIndex((heading) => heading.id === id),
    headings.findIndex(({ text }) => text.toLowerCase() === name),
    headings.findIndex(({ text }) => text.toLowerCase().includes(name)),
  ].find((found) => found >= 0)
  const heading = index === undefined ? undefined : headings[index]
  if (index === undefined || heading === undefined) return undefined
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level)
  return { start: heading.start, end: next?.start ?? html.length }
}

function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
