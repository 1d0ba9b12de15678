// `palimpsest serve`: the service in the foreground, until a signal ends it.

import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { destination, type Logger, pino } from 'pino'
import { loadConfig } from '../../config/config.js'
import { type RunningServer, startServer } from '../../app/server.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'

/** Past this the process ends whatever still hangs. */
const STOP_LIMIT_MS = 9500

export function addServe(program: Command): void {
  program.command('serve').description('run the service').action(serve)
}

async function serve(): Promise<void> {
  const config = loadConfig(process.env)
  // Logs go to standard error, line by line; standard output is for the person who started it.
  const logger = pino({ level: config.logLevel, base: null }, destination({ fd: 2, sync: true }))
  const server = await startServer(config, { logger, clock: () => new Date(), newId: randomUUID })
  greet(server)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(server, logger, signal))
}

async function stop(server: RunningServer, logger: Logger, signal: string): Promise<void> {
  logger.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
  await server.stop()
  logger.info('stopped')
  process.exit(0)
}

/** What to do next, in one piece. No key is ever printed here: the first line makes one. */
function greet({ address, service }: RunningServer): void {
  const { baseUrl, siteDomain } = address
  const lines = [`Palimpsest is ready at ${baseUrl} (API reference: ${baseUrl}/docs)`]
  if (service.firstSite !== undefined) lines.push(...firstSteps(baseUrl, siteUrlOf(address, service.firstSite)))
  if (!/^([^:]*\.)?localhost(:\d+)?$/.test(siteDomain)) {
    lines.push(
      `The names *.${siteDomain} must lead to this machine: by DNS, or by a line for each site in the hosts file.`,
    )
  }
  console.log(lines.join('\n'))
}

function firstSteps(baseUrl: string, site: string): string[] {
  return [
    `The first site is ${site}/ — publish its next page from another terminal:`,
    '',
    '  KEY=$(npm run --silent palimpsest -- keys create --scopes write --label "$USER")',
    `  echo '<h1>Hello</h1>' | curl -H "Authorization: Bearer $KEY" -T - '${baseUrl}/api/v1/pages?path=/hello'`,
    `  curl ${site}/hello`,
    '',
    'Or work in the browser: "npm run --silent palimpsest -- login-link" prints a link that signs you in, once.',
    '',
  ]
}
