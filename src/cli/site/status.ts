// `palimpsest status`: shows the service, the key, the workspace and the site that commands here mean, and which sites are in trouble.
// With `--service` it also shows which work of the service runs and waits.

import type { Command } from 'commander'
import type { WorkRow } from '../../admission/figures.js'
import { type DataOf, dataOf } from '../../protocols/client/client.js'
import { type AuthorOptions, connect, forAuthors, siteOf } from '../connection/connection.js'
import { findBearer } from '../connection/access.js'
import { apiBaseUrl, findApiKey } from '../connection/credentials.js'
import { Unusable } from '../connection/unusable.js'
import { serviceFetch } from '../connection/service-fetch.js'
import { printError, printJson } from '../terminal/printable.js'
import { printFacts, printTable } from '../terminal/table.js'

/** The parts of the answer that are shown. */
interface Health {
  /** Only for programs on the service's machine. */
  work?: readonly WorkRow[]
  /** Only for them and for keys with the scope admin. */
  troubles?: readonly { site: { slug: string }; kind: string; what: string; remedy: string }[]
  hint?: string
}

interface Here {
  service: string
  /** Null without a key. */
  me: DataOf<'/me', 'get'> | null
  /** Null if requests must name a site. */
  site: DataOf<'/sites', 'get'>[number] | null
}

interface Options extends AuthorOptions {
  service?: true
}

export function addStatus(program: Command): void {
  forAuthors(program.command('status'))
    .summary('show the service, the key and the site that commands mean')
    .description('show the service, the key, the workspace and the site that commands mean here, and sites in trouble')
    .option('--service', 'also show which work of the service runs and waits')
    .action(showStatus)
}

async function showStatus(options: Options): Promise<void> {
  const baseUrl = apiBaseUrl(process.env)
  const { work, ...health } = await askHealth(baseUrl)
  const here = await findHere(baseUrl, options)
  if (options.json === true) return printJson({ ...here, ...health, ...(options.service === true && { work }) })
  printHere(here)
  const mayAsk = here.me?.scopes.includes('admin') !== false
  if (options.service === true) printWork(baseUrl, work, mayAsk)
  printTroubles(health, mayAsk && options.service === true)
}

async function findHere(service: string, options: AuthorOptions): Promise<Here> {
  if (findApiKey(process.env, service) === undefined) return { service, me: null, site: null }
  const connection = await connect(options)
  const me = dataOf(await connection.client.GET('/me'))
  const site = await siteOf(connection).catch((error: unknown) => {
    if (error instanceof Unusable) return null
    throw error
  })
  return { service, me, site }
}

function printHere({ service, me, site }: Here): void {
  const of = site === null ? 'none is the default: name one with --site' : `${site.slug} (${site.url})`
  printFacts([
    ['service', service],
    ['key', me === null ? 'none: "palimpsest login" stores one' : `${me.key.label} (${me.scopes.join(', ')})`],
    ...(me === null
      ? []
      : ([
          ['workspace', me.workspace.name],
          ['site', of],
        ] as const)),
  ])
}

/** `mayAsk` is whether the caller could see it elsewhere; others need no word about it. */
function printWork(baseUrl: string, work: Health['work'], mayAsk: boolean): void {
  if (work !== undefined)
    printTable(
      ['work', 'running', 'waiting'],
      work.map(({ name, running, waiting }) => [name, String(running), String(waiting)]),
    )
  else if (mayAsk)
    printError(`${baseUrl} shows its work only to callers on its own machine, with a local PALIMPSEST_URL.`)
}

function printTroubles({ troubles = [], hint }: Omit<Health, 'work'>, isHinted: boolean): void {
  for (const { site, kind, what, remedy } of troubles) printError(`${site.slug}: ${kind}: ${what}\n  ${remedy}`)
  if (hint !== undefined && isHinted) printError(hint)
}

/** Throws Unusable if another program answers there. */
async function askHealth(baseUrl: string): Promise<Health> {
  const key = await findBearer(process.env, baseUrl)
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const response = await serviceFetch(new Request(`${baseUrl}/healthz?verbose=1`, { headers }))
  const answer: unknown = response.ok ? await response.json().catch(() => undefined) : undefined
  if (typeof answer === 'object' && answer !== null && 'status' in answer) return answer as Health
  throw new Unusable(`What answers at ${baseUrl} is not this service. PALIMPSEST_URL names the address.`)
}
