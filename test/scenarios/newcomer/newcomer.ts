// A checkout as a newcomer has it, with a service that was started there, and a second terminal that knows neither its port nor a key.

import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Finished, run, serve, type ServeProcess } from '../serve-process.js'

const BUILD = fileURLToPath(new URL('../../..', import.meta.url))
export const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url))

/** Pages whose blocks of shell are walked in order, each on a new service. */
export const ROADS = [
  'README.md',
  'docs/bring-your-site.md',
  ...['docs/guides', 'docs/bring-your-site'].flatMap((folder) =>
    readdirSync(join(PROJECT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]

/** Returns the blocks of a document that run on this machine. Others name their place in the first line, such as `sh on-a-server`. */
export function blocksOf(document: string): string[] {
  const blocks = readFileSync(join(PROJECT, document), 'utf8').matchAll(/^( *)```sh\n(.*?)^ *```$/gms)
  return Array.from(blocks, ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

export interface Newcomer {
  /** The home folder, with the checkout in it. */
  folder: string
  server: ServeProcess
  /** Runs a script as the other terminal does, in the checkout. The first command that fails ends it, also a curl that the service refuses. */
  shell: (script: string) => Promise<Finished>
  remove: () => void
}

export async function startAsNewcomer(): Promise<Newcomer> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-newcomer-'))
  const checkout = join(folder, 'palimpsest')
  mkdirSync(checkout)
  copyFileSync(join(PROJECT, 'package.json'), join(checkout, 'package.json'))
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
  symlinkSync(BUILD, join(checkout, 'dist'))
  const env = { LOG_LEVEL: 'info', npm_lifecycle_event: 'start' }
  const server = await serve({ cwd: checkout, main: 'dist/program/bin/palimpsest.js', env })
  return {
    folder,
    server,
    shell: (script) => {
      const here = script.replaceAll('localhost:8080', `localhost:${server.port}`)
      return run('sh', ['-e', '-c', here], { cwd: checkout, env: environmentOf(folder) })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function environmentOf(home: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
  for (const who of ['AUTHOR', 'COMMITTER'])
    Object.assign(env, { [`GIT_${who}_NAME`]: 'Newcomer', [`GIT_${who}_EMAIL`]: 'new@example.org' })
  return env
}
