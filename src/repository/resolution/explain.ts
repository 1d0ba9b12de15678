// Explains a site's answer at a target: its content, and the lines of the site's rules that decide.

import { pagePathOf } from '../../model/paths/page-path.js'
import { type AnswerPaths, rulesFor } from './header-fields.js'
import { type ResolvableView, resolve } from './resolution.js'
import { rulesOf } from './site-rules.js'

export interface Explanation {
  /** `markdown` is a page as Markdown; `generated` is content that is not a file of the site: sitemap.xml, search results. */
  kind: 'page' | 'file' | 'markdown' | 'generated' | 'redirect' | 'missing'
  status: number
  /** Destination of a redirect. */
  location: string | null
  /** Tree path of the file that is sent. */
  file: string | null
  /** The fields that the site's rules add, by lower-case name, and `link` with the canonical URL. */
  fields: Readonly<Record<string, string>>
  /** The line of `_redirects` that decided; null if none did. */
  redirectLine: number | null
  /** The lines of `_headers` whose paths match, in order. */
  headerLines: number[]
  /** Whether the redirects form a loop; then all rules are skipped. */
  isLoop: boolean
}

export function explain(view: ResolvableView, target: string): Explanation {
  const found = resolve(view, target)
  const common = { redirectLine: found.line ?? null, headerLines: [], isLoop: found.isLoop === true }
  const linesOfPath = () => linesFor(view, { own: [target.replace(/\?.*/s, '')] })
  const nothing = { location: null, file: null, fields: {} }
  switch (found.kind) {
    case 'redirect': {
      const { status, location, fields } = found
      return { kind: 'redirect', status, ...nothing, location, fields, ...common, headerLines: linesOfPath() }
    }
    case 'generated':
      return { kind: 'generated', status: found.status, ...nothing, file: found.treePath, ...common }
    case 'search':
      return { kind: 'generated', status: 200, ...nothing, ...common }
    case 'gone':
    case 'missing': {
      const status = found.kind === 'gone' ? 410 : 404
      return { kind: 'missing', status, ...nothing, fields: found.fields, ...common, headerLines: linesOfPath() }
    }
    default: {
      const { treePath: file, status, fields, paths } = found.file
      const kind = found.kind === 'markdown' ? 'markdown' : pagePathOf(file) === undefined ? 'file' : 'page'
      return { kind, status, location: null, file, fields, ...common, headerLines: linesFor(view, paths) }
    }
  }
}

function linesFor({ snapshot }: ResolvableView, paths: AnswerPaths): number[] {
  return [...rulesFor(rulesOf(snapshot).headers, paths)].map(({ rule }) => rule.line)
}
