// Shows a site's answer at a path, by its rules or by rules that are being written.

import type { TriedRulesData } from '../../../schemas/rules.js'
import { ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import type { Call } from '../context/call.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findSite } from '../context/target.js'

interface TryRulesInput extends ResourceId {
  path: string
  redirects?: string
  headers?: string
}

/** Writes nothing. Throws `invalid_path`, and `too_costly` if the rules take too long to read. */
export async function tryRules(
  asked: Call<'baseUrl' | 'catalog' | 'siteDomain' | 'store' | 'tasks'>,
  { id, path, ...rules }: TryRulesInput,
): Promise<Result<TriedRulesData>> {
  const call = { ...asked, site: findSite(asked, id) }
  const { site, store, tasks } = call
  const source = store.sourceOf(site, store.reader.snapshot(site))
  const origin = siteUrlOf(call, site.slug)
  const target = targetOf(path)
  const { markdown, search } = site
  const tried = await tasks.run('tryRules', { source, target, rules, origin, markdown, search }, site)
  const { kind: answer, fields, file, ...rest } = tried.answer
  return {
    data: {
      path: target,
      answer,
      ...rest,
      file: file === null ? null : `/${file}`,
      fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
      wrongLines: tried.wrong,
      warnings: tried.warnings,
    },
  }
}

/** Returns the request target that a browser makes of what a person types: characters are encoded, `..` is followed. */
function targetOf(path: string): string {
  if (!path.startsWith('/')) throw new ServiceError('invalid_path', 'The path begins with "/": write /about.')
  const url = `http://site.invalid${path}`
  if (!URL.canParse(url)) throw new ServiceError('invalid_path', 'This is not the path of a URL: write /about.')
  const { pathname, search } = new URL(url)
  return pathname + search
}
