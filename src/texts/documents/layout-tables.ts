// Finds the tables of a document that are for layout. They hold tables, lists, headings or other blocks that no cell of a Markdown table
// can hold.

import { readShownTags } from './hidden-part.js'

const UNFIT_FOR_CELLS = new Set('h1 h2 h3 h4 h5 h6 ul ol dl pre blockquote hr form'.split(' '))

/** Returns the numbers of the layout tables, in the order in which tables begin; the first is 0. */
export function findLayoutTables(html: string): Set<number> {
  const layout = new Set<number>()
  const open: number[] = []
  let count = 0
  readShownTags(html, {
    open(name) {
      const inner = open.at(-1)
      if (inner !== undefined && (name === 'table' || UNFIT_FOR_CELLS.has(name))) layout.add(inner)
      if (name === 'table') open.push(count++)
    },
    close(name) {
      if (name === 'table') open.pop()
    },
  })
  return layout
}
