// Leaves out what a browser does not show: hidden elements with their contents. The end of an element may be implied by other tags (HTML,
// "optional tags").

import { type Attributes, readTags, type TagHandler } from './read-tags.js'

/** Elements without contents. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** Browsers mend their wrong nesting; their end tags end no other element. */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

const BLOCKS = new Set(
  'address article aside blockquote details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section table ul'.split(
    ' ',
  ),
)
const CELLS = ['td', 'th', 'tr', 'tbody', 'thead', 'tfoot']

/** The tags that end an element without its end tag, unless they lie in one of the elements of `in`. */
const ENDED_BY: Readonly<Record<string, { tags: ReadonlySet<string>; in: readonly string[] }>> = {
  p: { tags: BLOCKS, in: [] },
  li: { tags: new Set(['li']), in: ['ul', 'ol', 'menu'] },
  dt: { tags: new Set(['dt', 'dd']), in: ['dl'] },
  dd: { tags: new Set(['dt', 'dd']), in: ['dl'] },
  td: { tags: new Set(CELLS), in: ['table'] },
  th: { tags: new Set(CELLS), in: ['table'] },
  tr: { tags: new Set(CELLS.slice(2)), in: ['table'] },
}

const HIDDEN_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\s*(?:!\s*important\s*)?(?:;|$)/i

/** Whether a browser shows nothing of the element, as its own attributes say. Style sheets are not read. */
function isHidden(name: string, { hidden, style = '', open }: Attributes): boolean {
  return hidden !== undefined || HIDDEN_STYLE.test(style) || (name === 'dialog' && open === undefined)
}

/** Reads the tags as `readTags` does, without those of hidden elements. Time is linear in the number of tags. */
export function readShownTags(html: string, { open, close, text }: TagHandler): void {
  const around = new OpenElements()
  let part: HiddenPart | undefined
  readTags(html, {
    open(name, attributes, start, end) {
      if (part?.start(name) === true) return
      part = isHidden(name, attributes) && !VOID.has(name) ? new HiddenPart(name) : undefined
      if (part !== undefined || isHidden(name, attributes)) return
      around.enter(name)
      open?.(name, attributes, start, end)
    },
    close(name, start) {
      if (part !== undefined) {
        const isOfPart = part.end(name, around)
        if (part.isOver) part = undefined
        if (isOfPart) return
      }
      around.leave(name)
      close?.(name, start)
    },
    text(piece) {
      if (part === undefined) text?.(piece)
    },
  })
}

/** How many elements of each name are open. An end tag without its element counts for nothing. */
class OpenElements {
  readonly #counts = new Map<string, number>()

  enter(name: string): void {
    // A block ends an open paragraph, whose end tag is often left out.
    if (BLOCKS.has(name)) this.#counts.set('p', 0)
    if (!VOID.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  leave(name: string): void {
    if (this.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1)
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0
  }
}

/** A hidden element and its contents, tag by tag. */
class HiddenPart {
  readonly #root: string
  readonly #stack: string[]
  readonly #inside = new OpenElements()

  constructor(root: string) {
    this.#root = root
    this.#stack = [root]
    this.#inside.enter(root)
  }

  get isOver(): boolean {
    return this.#stack.length === 0
  }

  /** Takes a start tag. False if it ends the part, and lies behind it. */
  start(name: string): boolean {
    const ends = ENDED_BY[this.#root]
    if (ends?.tags.has(name) === true && !ends.in.some((list) => this.#inside.has(list))) return false
    if (VOID.has(name)) return true
    this.#stack.push(name)
    this.#inside.enter(name)
    return true
  }

  /** Takes an end tag. False if it is that of an element around the part: it ends the part, and lies behind it. */
  end(name: string, around: OpenElements): boolean {
    if (!this.#inside.has(name)) {
      if (FORMATTING.has(name) || !around.has(name)) return true
      this.#stack.length = 0
      return false
    }
    let popped: string | undefined
    do {
      popped = this.#stack.pop()
      if (popped !== undefined) this.#inside.leave(popped)
    } while (popped !== undefined && popped !== name)
    return true
  }
}
