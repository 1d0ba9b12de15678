// `palimpsest serve`: runs the service in the foreground until a signal stops it.

import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { type Command, Option } from 'commander'
import { destination, type Logger, pino } from 'pino'
import { type Config, InvalidConfiguration, loadConfig } from '../../processes/config/config.js'
import { restrictNewFiles } from '../../processes/data-dir.js'
import { forgetAddress, noteAddress } from '../../processes/running-address.js'
import type { RunningApi } from '../../processes/roles/api.js'
import type { RunningRole } from '../../processes/roles/serve-port.js'
import { keepFewObjects } from '../../git/storage/object-cache.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { hasOwner, makeSignInToken } from '../../usecases/sign-in/sign-in-link.js'
import type { Services } from '../../usecases/context/services.js'
import { invocation } from '../terminal/invocation.js'
import { assertOwnUser } from './own-data-dir.js'

/**
 * Garbage, in percent of what is in use, before V8 collects all of it. A clone's bytes are garbage once they are sent. By default each 12
 * MB start a collection, for which visitors wait 20 ms (docs/decisions/0074-let-more-garbage-gather.md).
 */
const GARBAGE_PERCENT = 150
/** Most bytes of lines that wait for a log which cannot be written; further lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024
/** The process exits after this even if something still hangs. */
const MAX_STOP_MS = 9500

export function addServe(program: Command): void {
  const role = new Option('--role <role>', 'api: all of the service; sites: hosted pages and files alone, read only')
  program
    .command('serve')
    .description('run the service')
    .addOption(role.choices(['api', 'sites']).default('api'))
    .action(serve)
}

async function serve({ role }: { role: 'api' | 'sites' }): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`)
  const config = loadConfig(process.env)
  restrictNewFiles(config)
  assertOwnUser(config.dataDir)
  // The log goes elsewhere: standard output is for the person who started the service.
  const logger = openServiceLog(config.logLevel, null)
  const running = await (role === 'api' ? serveApi(config, logger) : serveSites(config, logger)).catch(explainListening)
  running.prepare()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(running, logger, signal))
}

/** Starts the whole service. Its code is imported here, because it is most of the program and other commands do not need it. */
async function serveApi(config: Config, logger: Logger): Promise<RunningRole> {
  // Threads read for visitors, and keep what they read.
  keepFewObjects()
  const { startApi } = await import('../../processes/roles/api.js')
  const running = await startApi(config, { logger, clock: () => new Date(), newId: randomUUID })
  noteAddress(config.dataDir, running.address)
  await greet(running)
  const end = async () => {
    forgetAddress(config.dataDir)
    await running.stop()
  }
  return { ...running, stop: end }
}

async function serveSites(config: Config, logger: Logger): Promise<RunningRole> {
  const { startSites } = await import('../../processes/roles/sites.js')
  const running = await startSites(config, { logger, clock: () => new Date() })
  const { siteDomain } = running.address
  console.log(`Palimpsest (sites) is ready at http://${config.host}:${running.port}, for *.${siteDomain}`)
  return running
}

/** Reports a taken or forbidden port, and an address of another machine, as wrong configuration. */
function explainListening(error: unknown): never {
  const { syscall = '', message } = error as NodeJS.ErrnoException
  if (!['listen', 'getaddrinfo'].includes(syscall)) throw error
  throw new InvalidConfiguration([`HOST and PORT name no free address: ${message}`])
}

async function stop(running: RunningRole, logger: Logger, signal: string): Promise<void> {
  logger.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), MAX_STOP_MS).unref()
  await running.stop()
  logger.info('stopped')
  process.exit(0)
}

/** Prints the next steps. It prints no key: the first step creates one. */
async function greet({ address, service }: RunningApi): Promise<void> {
  const { baseUrl, siteDomain } = address
  const lines = [`Palimpsest is ready at ${baseUrl} (API reference: ${baseUrl}/docs)`]
  if (service.firstSite !== undefined) lines.push(...firstSteps(baseUrl, siteUrlOf(address, service.firstSite)))
  lines.push(...(await firstSignIn(service.services)))
  if (!/^([^:]*\.)?localhost(:\d+)?$/.test(siteDomain)) {
    lines.push(
      `The names *.${siteDomain} must resolve to this machine: by DNS, or by a line for each site in the hosts file.`,
    )
  }
  console.log(lines.join('\n'))
}

function firstSteps(baseUrl: string, site: string): string[] {
  const palimpsest = invocation()
  return [
    `The first site is ${site}/ — publish another page from a second terminal:`,
    '',
    `  KEY=$(${palimpsest} keys create --scopes write --label "\${USER:-me}")`,
    `  echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer $KEY" -T - '${baseUrl}/api/v1/pages?path=/hello'`,
    `  curl ${site}/hello`,
    '',
  ]
}

/**
 * Tells how the first owner comes in, until there is one. A terminal shows a link to the person who started the service. Any other output
 * may be kept in a log, so it gets the command that makes a link.
 */
async function firstSignIn(services: Services): Promise<string[]> {
  const [workspace] = await services.catalog.workspaces.list()
  if (workspace === undefined || (await hasOwner(services.catalog, workspace.id))) return []
  if (!process.stdout.isTTY)
    return [`To work in the browser, run "${invocation()} login-link": it prints a link that signs you in, once.`, '']
  const token = await makeSignInToken(services, workspace.id, {})
  const link = `  ${services.baseUrl}/sign-in#${token}`
  return ['To work in the browser, open this link. It signs you in, once, within 15 minutes:', '', link, '']
}

/** Opens the log: JSON lines on standard error. If it cannot be written, as on a full disk, the process goes on. */
function openServiceLog(level: string, base: Record<string, unknown> | null): Logger {
  const stream = destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES })
  // The stream tries again with the next line. Without a listener the error would end the process.
  stream.on('error', () => undefined)
  return pino({ level, base }, stream)
}
