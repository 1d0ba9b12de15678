// `palimpsest serve`: runs the service in the foreground until a signal stops it.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import type { Logger } from 'pino'
import { InvalidConfiguration, loadConfig } from '../../config/config.js'
import { restrictNewFiles } from '../../app/data-dir.js'
import type { RunningServer } from '../../app/server.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { openServiceLog } from '../../threads/service-log.js'
import { invocation } from '../terminal/invocation.js'
import { assertOwnUser } from './own-data-dir.js'

/** The process exits after this even if something still hangs. */
const MAX_STOP_MS = 9500

export function addServe(program: Command): void {
  program.command('serve').description('run the service').action(serve)
}

async function serve(): Promise<void> {
  const config = loadConfig(process.env)
  restrictNewFiles(config)
  assertOwnUser(config.dataDir)
  // The other commands have no need of the doors, which are most of the program.
  const { startServer } = await import('../../app/server.js')
  // Standard output is for the person who started the service.
  const logger = openServiceLog(config.logLevel, null)
  const server = await startServer(config, { logger, clock: () => new Date(), newId: randomUUID }).catch(
    explainListening,
  )
  greet(server)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(server, logger, signal))
}

/** A port that is taken or not permitted, and an address that is not this machine's, are configured wrongly. */
function explainListening(error: unknown): never {
  const { syscall = '', message } = error as NodeJS.ErrnoException
  if (!['listen', 'getaddrinfo'].includes(syscall)) throw error
  throw new InvalidConfiguration([`HOST and PORT name no free address: ${message}`])
}

async function stop(server: RunningServer, logger: Logger, signal: string): Promise<void> {
  logger.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), MAX_STOP_MS).unref()
  await server.stop()
  logger.info('stopped')
  process.exit(0)
}

/** Tells what to do next. It prints no key: its first line creates one. */
function greet({ address, service }: RunningServer): void {
  const { baseUrl, siteDomain } = address
  const lines = [`Palimpsest is ready at ${baseUrl} (API reference: ${baseUrl}/docs)`]
  if (service.firstSite !== undefined) lines.push(...firstSteps(baseUrl, siteUrlOf(address, service.firstSite)))
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
    `Or work in the browser: "${palimpsest} login-link" prints a link that signs you in, once.`,
    '',
  ]
}
