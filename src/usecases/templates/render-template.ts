// Renders one Liquid source with a title, which is escaped, and a content, which is html already. A source is a
// tenant's: it reads no file, no prototype and no clock of ours, and is stopped when it takes too much.

import { type Context, Liquid } from 'liquidjs'
import { ServiceError } from '../../model/errors.js'

export interface TemplateValues {
  title: string
  /** Html, put in as it is. */
  content: string
}

/** Characters of a source. */
const LONGEST_SOURCE = 512 * 1024
/** Milliseconds: this thread serves nobody else meanwhile. */
const RENDER_TIME = 100
/** What a rendering may allocate, in liquidjs's own count of items and characters. */
const RENDER_MEMORY = 50_000_000

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

const engine = new Liquid({
  // An empty map in place of the file system: include, render and layout find nothing.
  templates: {},
  dynamicPartials: false,
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: LONGEST_SOURCE,
  renderLimit: RENDER_TIME,
  memoryLimit: RENDER_MEMORY,
  timezoneOffset: 0,
  outputEscape: escapeOutput,
})

/** Throws `template_failed` with the engine's reason, and unless 1 to `longest` characters come out. */
export function renderTemplate(id: string, source: string, values: TemplateValues, longest: number): string {
  const html = render(id, source, values)
  if (html.length > 0 && html.length <= longest) return html
  const problem = html === '' ? 'makes an empty page' : `makes more than ${longest} characters`
  throw new ServiceError('template_failed', `The template "${id}" ${problem}.`, { templateId: id })
}

function render(id: string, source: string, values: TemplateValues): string {
  try {
    return String(engine.parseAndRenderSync(source, values))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be rendered'
    throw new ServiceError('template_failed', `The template "${id}" fails: ${reason}.`, { templateId: id })
  }
}

/** The content itself is html; whatever a filter made of it is text, as everything else is. */
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
