// Tries rules, published or not: the answer at one path, the wrong lines, and rules that have no effect.

import { mediaTypeOf } from '../../model/media-type.js'
import { HEADERS_FILE } from '../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import type { WrongLine } from '../../model/rules/rules-file.js'
import type { Snapshot } from '../reading/snapshot.js'
import { type DraftRules, withDraftRules } from './draft-rules.js'
import { type Explanation, explain } from './explain.js'
import { warnOfRedirects } from './redirect-warnings.js'
import { skippedLine } from './resolution.js'
import { linesToTellIn } from './site-rules.js'

export interface RulesToTry {
  /** Path and query, as a browser sends them. */
  target: string
  rules: DraftRules
  /** The site's own origin. */
  origin: string
  markdown: boolean
  search: boolean
}

type RulesFile = typeof REDIRECTS_FILE | typeof HEADERS_FILE

export interface LineOfRules extends WrongLine {
  file: RulesFile
}

export interface TriedRules {
  answer: Explanation & { mediaType: string | null }
  /** Lines that are ignored. */
  wrong: LineOfRules[]
  /** Rules that never apply or lead nowhere, and lines that apply in part. */
  warnings: LineOfRules[]
}

/** Assumed to be there: only making them would tell, and that takes long for a large site. */
const GENERATED: readonly string[] = ['robots.txt', 'sitemap.xml', 'llms.txt']

const LEADS_BACK = 'It leads to the URL that is asked for, so it is skipped there.'

export function tryRules(snapshot: Snapshot, { target, rules, origin, markdown, search }: RulesToTry): TriedRules {
  const view = {
    snapshot: withDraftRules(snapshot, rules),
    origin,
    generates: (name: string) => GENERATED.includes(name),
    markdown,
    search,
  }
  const found = explain(view, target)
  const mediaType = found.file === null ? null : (found.fields['content-type'] ?? typeOf(found))
  const redirects = linesToTellIn(view.snapshot, REDIRECTS_FILE)
  const headers = linesToTellIn(view.snapshot, HEADERS_FILE)
  const skipped = skippedLine(view, target)
  const ownUrl = skipped === undefined ? [] : [{ line: skipped, message: LEADS_BACK }]
  const warnings = [...redirects.warnings, ...warnOfRedirects(view), ...ownUrl].toSorted((a, b) => a.line - b.line)
  return {
    answer: { ...found, mediaType },
    wrong: inFiles(redirects.wrong, headers.wrong),
    warnings: inFiles(warnings, headers.warnings),
  }
}

function typeOf({ kind, file }: Explanation): string {
  return kind === 'markdown' ? 'text/markdown; charset=utf-8' : mediaTypeOf(file ?? '')
}

function inFiles(redirects: readonly WrongLine[], headers: readonly WrongLine[]): LineOfRules[] {
  return [
    ...redirects.map((line) => ({ file: REDIRECTS_FILE, ...line }) as const),
    ...headers.map((line) => ({ file: HEADERS_FILE, ...line }) as const),
  ]
}
