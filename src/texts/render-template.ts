// Renders a Liquid template with a title, which is escaped, and a content, which is html. A tenant writes the template: it can read no file
// and no prototype, and its time and memory are bounded.

import { Context, Liquid } from 'liquidjs'
import { ServiceError } from '../model/errors.js'
import { startCpuBound } from '../threads/cpu-bound.js'

export interface TemplateValues {
  title: string
  /** Html, inserted unchanged. */
  content: string
}

/** CPU time of a rendering. The engine checks it only between two parts of a template: a filter may take longer. */
const MAX_RENDERING_MS = 100
/** Milliseconds between looks at the CPU time, once that much time has passed. */
const LOOK_MS = 10
export const MAX_SOURCE_CHARACTERS = 512 * 1024
/** Most items that a filter takes: sorting so many takes some 100 ms. */
const MAX_ITEMS = 100_000
/** Items and characters, as liquidjs counts the allocations of a rendering. */
const MAX_ALLOCATION = 50_000_000

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

const engine = new Liquid({
  // An empty map instead of the file system: include, render and layout find nothing.
  templates: {},
  dynamicPartials: false,
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: MAX_SOURCE_CHARACTERS,
  memoryLimit: MAX_ALLOCATION,
  timezoneOffset: 0,
  outputEscape: escapeOutput,
})
boundFilters()

export interface Rendering {
  id: string
  source: string
  values: TemplateValues
  maxCharacters: number
}

/**
 * Renders the template. Run it in a process that does nothing else, unless `maxMs` is Infinity. Throws `template_failed` with the engine's
 * reason, and if the result is empty or too long.
 */
export function renderTemplate(
  { id, source, values, maxCharacters }: Rendering,
  maxMs: number = MAX_RENDERING_MS,
): string {
  const html = render(id, source, values, maxMs)
  if (html.length > 0 && html.length <= maxCharacters) return html
  const problem = html === '' ? 'makes an empty page' : `makes more than ${maxCharacters} characters`
  throw new ServiceError('template_failed', `The template "${id}" ${problem}.`, { templateId: id })
}

function render(id: string, source: string, values: TemplateValues, maxMs: number): string {
  const renderLimit = new RenderLimit(maxMs) as unknown as Context['renderLimit']
  const context = new Context(values, engine.options, { sync: true }, { renderLimit, liquid: engine })
  try {
    return String(engine.parseAndRenderSync(source, context))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be rendered'
    throw new ServiceError('template_failed', `The template "${id}" fails: ${reason}.`, { templateId: id })
  }
}

/** Replaces the engine's own limit, which uses the clock: on a busy machine that refused templates of a few lines. */
class RenderLimit {
  readonly #maxMs: number
  readonly #isOver: () => boolean
  #nextLook: number

  constructor(maxMs: number) {
    this.#maxMs = maxMs
    this.#isOver = startCpuBound(maxMs)
    this.#nextLook = performance.now() + maxMs
  }

  check(now: number): void {
    if (now <= this.#nextLook) return
    if (this.#isOver()) throw new Error(`it takes more than ${this.#maxMs} ms`)
    this.#nextLook = now + LOOK_MS
  }
}

/** Escapes output. Only the unchanged content is html; the output of a filter on it is text. */
function escapeOutput(this: { context: Context }, value: unknown): string {
  const { content } = this.context.environments as TemplateValues
  if (value === content) return content
  return textOf(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(textOf).join('') : JSON.stringify(value)
}

/** An argument of a filter, such as the separator of `split`. */
type Argument = string | number | undefined
type Handler = (this: unknown, value: unknown, ...args: Argument[]) => unknown

/**
 * Makes each filter of the engine refuse more than 100,000 items, before it works on them. The engine counts characters and items alike,
 * and a text may have many more than a filter can sort in time.
 */
function boundFilters(): void {
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
