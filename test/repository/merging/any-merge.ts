// Random merges: a document, and two edits of it. Every word occurs once, so that each one can be followed through the merge.

import * as fc from 'fast-check'

export interface AnyMerge {
  base: Buffer
  ours: Buffer
  theirs: Buffer
}

type Edit = { at: number; kind: (typeof KINDS)[number] }

const KINDS = ['replace', 'insert', 'remove', 'wrap', 'block', 'remove block', 'attribute', 'odd'] as const
const ODD = [
  '<!-- ',
  ' -->',
  '<script>',
  '</script>',
  '</div>',
  '<i>',
  '<',
  '"',
  "<a href='",
  '</p',
  '<br/>',
  '\n',
  '&lt;',
]
const NAMES = ['div', 'p', 'ul', 'table', 'b']
/** Bytes beside the words: plain ones, Big5, no UTF-8, and a NUL for a binary file. */
const FILLERS = ['', 'and ', '\xa4\xa4\xa4\xe5 ', '\xff\xfe\xc3 ', '\0 ']

/** A word is a letter for who wrote it, and a number. */
const WORD = /[bot]\d+/g

const block = fc.record({
  name: fc.constantFrom(...NAMES),
  words: fc.integer({ min: 1, max: 4 }),
  isDeep: fc.boolean(),
  filler: fc.oneof({ arbitrary: fc.constant(''), weight: 12 }, fc.constantFrom(...FILLERS)),
})
const edits = fc.array(fc.record({ at: fc.nat(1000), kind: fc.constantFrom(...KINDS) }), { minLength: 1, maxLength: 3 })

export const anyMerge: fc.Arbitrary<AnyMerge> = fc
  .record({
    blocks: fc.array(block, { maxLength: 24, size: 'max' }),
    // The end of a block: with '' all of the document is one line.
    end: fc.constantFrom('', '', ' ', '\n', '\r\n', '\n\n'),
    isOpen: fc.boolean(),
    ours: edits,
    theirs: edits,
  })
  .map(({ blocks, end, isOpen, ours, theirs }) => {
    const count = counter()
    const parts = blocks.map(({ name, words, isDeep, filler }) => {
      const text = Array.from({ length: words }, () => `b${count()}`).join(' ')
      return `<${name}>${filler}${isDeep ? `<em>${text}</em>` : text}</${name}>`
    })
    const base = parts.join(end) + (isOpen ? '' : '\n')
    const [left, right] = [edited(base, ours, 'o'), edited(base, theirs, 't')]
    return {
      base: Buffer.from(base, 'latin1'),
      ours: Buffer.from(left, 'latin1'),
      theirs: Buffer.from(right, 'latin1'),
    }
  })

export function wordsOf(bytes: Buffer): string[] {
  return bytes.toString('latin1').match(WORD) ?? []
}

function edited(html: string, list: readonly Edit[], by: string): string {
  const count = counter()
  return list.reduce((text, { at, kind }) => editOnce(text, at, kind, () => `${by}${count()}`), html)
}

function editOnce(html: string, at: number, kind: Edit['kind'], word: () => string): string {
  const words = [...html.matchAll(WORD)]
  const found = words[at % Math.max(words.length, 1)]
  const [old, index] = [found?.[0] ?? '', found?.index ?? 0]
  const replace = (text: string) => html.slice(0, index) + text + html.slice(index + old.length)
  const before = html.lastIndexOf('<', index)
  const after = html.indexOf('>', index)
  switch (kind) {
    case 'replace':
      return replace(word())
    case 'insert':
      return replace(`${old} ${word()}`)
    case 'remove':
      return replace('')
    case 'wrap':
      return replace(`<strong>${old}</strong>`)
    case 'odd':
      return replace(`${old}${ODD[at % ODD.length]}`)
    case 'block':
      return `${html.slice(0, Math.max(before, 0))}<p>${word()}</p>${html.slice(Math.max(before, 0))}`
    case 'remove block':
      return before === -1 || after === -1 ? html : html.slice(0, before) + html.slice(after + 1)
    default:
      return html.replace('>', ` id="${word()}">`)
  }
}

function counter(): () => number {
  let last = 0
  return () => ++last
}
