// Runs Netlify's own programs on a file of rules: the parser of its builds, and the matcher of its command line.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllRedirects } from '@netlify/redirect-parser'
import redirector from 'netlify-redirector'

/** A rule that matched: `to` has its placeholders filled in. */
export interface TheirRule {
  from: string
  to: string
  status: number
  force: boolean
}

export type TheirMatcher = (target: string) => TheirRule | undefined

interface ParsedRule {
  from: string
  query: object
  conditions: Readonly<Record<string, unknown>>
}

/** A visitor from no country that rules name. */
const VISITOR = new Map([
  ['x-language', 'en'],
  ['x-country', 'us'],
])

export async function theirMatcher(text: string): Promise<TheirMatcher> {
  const rules = (await parse(text)).map(({ from, query, conditions, ...rule }) => {
    const capitalized = Object.entries(conditions).map(([name, value]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      value,
    ])
    return { ...rule, origin: from, params: query, conditions: Object.fromEntries(capitalized) as object }
  })
  if (rules.length === 0) return () => undefined
  const matcher = await redirector.parseJSON(JSON.stringify(rules), { jwtSecret: 'secret', jwtRoleClaim: 'roles' })
  return (target) => (matcher.match(requestOf(target)) as TheirRule | null) ?? undefined
}

/** Their parser reads files. */
async function parse(text: string): Promise<readonly ParsedRule[]> {
  const folder = mkdtempSync(join(tmpdir(), 'redirects-'))
  const file = join(folder, '_redirects')
  writeFileSync(file, text)
  const { redirects } = await parseAllRedirects({ redirectsFiles: [file], configRedirects: [], minimal: false })
  rmSync(folder, { recursive: true })
  return redirects as unknown as readonly ParsedRule[]
}

/** The request as their command line makes it, with a decoded path. */
function requestOf(target: string): object {
  const { pathname, search } = new URL(target, 'https://demo.example.org')
  return {
    scheme: 'https',
    host: 'demo.example.org',
    path: decodeURIComponent(pathname),
    query: search.slice(1),
    headers: Object.fromEntries(VISITOR),
    cookieValues: {},
    getHeader: (name: string) => VISITOR.get(name.toLowerCase()) ?? '',
    getCookie: () => '',
  }
}
