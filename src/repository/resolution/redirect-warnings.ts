// Warns of well-formed rules of `_redirects` that do nothing: earlier answers hide them, or they lead nowhere.

import { encodePath } from '../../model/paths/path-text.js'
import { encodeCaptured } from '../../model/rules/path-pattern.js'
import type { RedirectRule } from '../../model/rules/redirects-file.js'
import type { WrongLine } from '../../model/rules/rules-file.js'
import { findFile } from './find-file.js'
import { startCpuBound } from '../../threads/cpu-bound.js'
import { locationOf, targetPathOf } from './redirect-location.js'
import { placeInSite } from './own-place.js'
import { type ResolvableView, resolve } from './resolution.js'
import { rulesOf } from './site-rules.js'

/** Processor time after which no further rule is checked. */
const MAX_LOOKING_MS = 100

/** Returns one warning per useless rule. */
export function warnOfRedirects(view: ResolvableView): WrongLine[] {
  const isOver = startCpuBound(MAX_LOOKING_MS)
  const warnings: WrongLine[] = []
  const { redirects } = rulesOf(view.snapshot)
  for (const rule of redirects.all) {
    if (isOver()) break
    const message = whyNeverApplied(view, rule) ?? whyNowhere(view, rule)
    if (message !== undefined) warnings.push({ line: rule.line, message })
  }
  return warnings
}

/** Checks rules for a single path without parameters; for others the answer depends on the request. */
function whyNeverApplied(view: ResolvableView, { from, query, force, line }: RedirectRule): string | undefined {
  if (from.fixed === undefined || query.size > 0) return undefined
  const path = from.fixed === '' ? '/' : encodeCaptured(from.fixed, encodePath)
  const first = rulesOf(view.snapshot).redirects.match(path, '')?.rule
  if (first !== undefined && first.line < line) return `It never applies: line ${first.line} matches this path first.`
  const named = force ? undefined : findFile(view.snapshot, path)
  if (named?.kind !== 'file') return undefined
  return `It never applies: the site has ${path}. With "!" after the status the rule wins.`
}

/** Checks destinations within the site that have no placeholders. */
function whyNowhere(view: ResolvableView, rule: RedirectRule): string | undefined {
  const { to, status } = rule
  if (/:[A-Za-z]/.test(to)) return undefined
  const matched = { rule, captures: new Map<string, string>() }
  if (status >= 300 && status < 400) {
    const place = placeInSite(view.origin, locationOf(matched, '') ?? '')
    if (place === undefined) return undefined
    const found = resolve(view, place)
    return found.kind === 'missing' || (found.kind === 'file' && found.file.status === 404)
      ? `The site has nothing at ${to}: visitors get 404 there.`
      : undefined
  }
  return findFile(view.snapshot, targetPathOf(matched)) === undefined
    ? `The site has no page ${to} to show: visitors get 404.`
    : undefined
}
