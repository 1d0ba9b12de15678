// Renders a Liquid template with a title, which is escaped, and a content, which is html. A tenant writes the template: it
// can read no file and no prototype, and its time and memory are bounded.

import { type Context, Liquid } from 'liquidjs'
import { ServiceError } from '../model/errors.js'
import { boundFilters } from './bounded-filters.js'

export interface TemplateValues {
  title: string
  /** Html, inserted unchanged. */
  content: string
}

/** The engine asks only between two parts of a template: a filter may take longer. */
const MAX_RENDERING_MS = 100
export const MAX_SOURCE_CHARACTERS = 512 * 1024
/** Items and characters, as liquidjs counts what a rendering allocates. */
const MAX_ALLOCATION = 50_000_000

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

const engine = new Liquid({
  // An empty map in place of the file system: include, render and layout find nothing.
  templates: {},
  dynamicPartials: false,
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: MAX_SOURCE_CHARACTERS,
  renderLimit: MAX_RENDERING_MS,
  memoryLimit: MAX_ALLOCATION,
  timezoneOffset: 0,
  outputEscape: escapeOutput,
})
boundFilters(engine)

export interface Rendering {
  id: string
  source: string
  values: TemplateValues
  maxCharacters: number
}

/** Throws `template_failed` with the engine's reason, and where the result is empty or too long. */
export function renderTemplate({ id, source, values, maxCharacters }: Rendering): string {
  const html = render(id, source, values)
  if (html.length > 0 && html.length <= maxCharacters) return html
  const problem = html === '' ? 'makes an empty page' : `makes more than ${maxCharacters} characters`
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

/** Only the unchanged content is html; the output of a filter on it is text and escaped. */
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
