// The text of a parsed page that its readers see, piece by piece, and where quoted words are in it.

/** Text in them is not shown, or may hold no elements. */
const UNSEEN = 'script, style, template, textarea, select, title, noscript, svg, iframe'

/** A part of one text node. */
export interface Stretch {
  node: Text
  from: number
  to: number
}

/** Lists the text nodes with words, in their order. */
export function shownTexts(document: Document): Text[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    if (node.data.trim() !== '' && node.parentElement?.closest(UNSEEN) == null) found.push(node)
  }
  return found
}

/** Finds the words where they are first, whatever space or tags lie between them. Empty if they are not there. */
export function findQuote(document: Document, quoted: string): Stretch[] {
  const words = quoted.trim().split(/\s+/).map(escapeWord)
  const texts = shownTexts(document)
  const found = new RegExp(words.join('\\s*')).exec(texts.map(({ data }) => data).join(''))
  if (found === null) return []
  const end = found.index + found[0].length
  let start = 0
  return texts.flatMap((node) => {
    const at = start
    start += node.length
    const [from, to] = [Math.max(0, found.index - at), Math.min(node.length, end - at)]
    return from < to ? [{ node, from, to }] : []
  })
}

function escapeWord(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
