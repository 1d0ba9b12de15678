// `palimpsest status`: shows what runs and waits in a running service, and which sites are in trouble, from its health.

import type { Command } from 'commander'
import type { WorkRow } from '../../admission/figures.js'
import { apiBaseUrl, findApiKey } from '../connection/credentials.js'
import { Unusable } from '../connection/explain.js'
import { serviceFetch } from '../connection/service-fetch.js'
import { printError, printJson } from '../terminal/printable.js'
import { printTable } from '../terminal/table.js'

/** The parts of the answer that are shown. */
interface Health {
  /** Only for programs on the service's machine. */
  work?: readonly WorkRow[]
  /** Only for them and for keys with the scope admin. */
  troubles?: readonly { site: { slug: string }; kind: string; what: string; remedy: string }[]
  hint?: string
}

export function addStatus(program: Command): void {
  program
    .command('status')
    .description('show what runs and waits in the running service at BASE_URL, and the sites in trouble')
    .option('--json', 'print JSON, for programs')
    .action(showStatus)
}

/** Throws Unusable if another program answers there. */
async function showStatus(options: { json?: true }): Promise<void> {
  const baseUrl = apiBaseUrl(process.env)
  const health = await askHealth(baseUrl)
  if (options.json === true) return printJson(health)
  const { work, troubles = [], hint } = health
  if (work === undefined)
    printError(`${baseUrl} shows its work only to callers on its own machine, with a local BASE_URL.`)
  else {
    printTable(
      ['work', 'running', 'waiting'],
      work.map(({ name, running, waiting }) => [name, String(running), String(waiting)]),
    )
  }
  for (const { site, kind, what, remedy } of troubles) printError(`${site.slug}: ${kind}: ${what}\n  ${remedy}`)
  if (hint !== undefined) printError(hint)
}

async function askHealth(baseUrl: string): Promise<Health> {
  const key = findApiKey(process.env, baseUrl)
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  const response = await serviceFetch(new Request(`${baseUrl}/healthz?verbose=1`, { headers }))
  const answer: unknown = response.ok ? await response.json().catch(() => undefined) : undefined
  if (typeof answer === 'object' && answer !== null && 'status' in answer) return answer as Health
  throw new Unusable(`What answers at ${baseUrl} is not this service. BASE_URL names the address.`)
}
