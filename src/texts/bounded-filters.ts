// Bounds the items that a filter of the template engine takes. The engine counts characters and items alike, and a text may have many more
// than a filter can sort in time.

import type { Liquid } from 'liquidjs'

/** Sorting so many items takes some 100 ms. */
const MAX_ITEMS = 100_000

/** An argument of a filter, such as the separator of `split`. */
type Argument = string | number | undefined
type Handler = (this: unknown, value: unknown, ...args: Argument[]) => unknown

/** Makes each filter of the engine refuse more than 100,000 items, before it works on them. */
export function boundFilters(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters)) {
    const { handler, raw } = (typeof filter === 'function' ? { handler: filter, raw: false } : filter) as {
      handler: Handler
      raw: boolean
    }
    engine.registerFilter(name, {
      raw,
      handler(this: unknown, value: unknown, ...args: Argument[]) {
        if (itemsOf(name, value, args) > MAX_ITEMS) throw new Error(`"${name}" has more than ${MAX_ITEMS} items`)
        return handler.call(this, value, ...args)
      },
    })
  }
}

/** Counts the items that a filter takes or makes, up to the bound. */
function itemsOf(name: string, value: unknown, [separator = '']: readonly Argument[]): number {
  if (Array.isArray(value)) return value.length
  return name === 'split' && typeof value === 'string' ? partsOf(value, String(separator)) : 1
}

function partsOf(text: string, separator: string): number {
  if (separator === '') return text.length
  let parts = 1
  for (
    let at = text.indexOf(separator);
    at >= 0 && parts <= MAX_ITEMS;
    at = text.indexOf(separator, at + separator.length)
  )
    parts++
  return parts
}
