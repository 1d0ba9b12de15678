// `palimpsest dev`: serves a folder of this machine as a site until Ctrl-C, and reloads the pages in browsers after each change.

import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { Unusable } from '../connection/unusable.js'

interface Options {
  port?: string
}

const MAX_PORT = 65_535

export function addDev(program: Command): void {
  program
    .command('dev [folder]')
    .summary('look at a folder on this machine, as its site would be')
    .description(
      'serve a folder on this machine as its site would be, and reload pages as files change; needs no service',
    )
    .option('--port <number>', 'default: 4000, or a free one where that is taken')
    .action(dev)
}

async function dev(folder = '.', { port }: Options): Promise<void> {
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined) throw new Unusable(`There is no ${folder}.`)
  if (!stat.isDirectory()) throw new Unusable(`${folder} is no folder: dev serves folders.`)
  // Its rules and media types are code that no other command needs.
  const { serveFolder } = await import('./serve-folder.js')
  await serveFolder(folder, port === undefined ? undefined : portOf(port))
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= MAX_PORT) return port
  throw new Unusable(`"${text}" is no port: give a number up to ${MAX_PORT}; 0 takes a free one.`)
}
