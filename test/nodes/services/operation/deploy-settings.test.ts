// The settings in deploy/ as they stand there, with the addresses, paths and names of this machine in place of theirs.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAIN } from '../../../scenarios/commands.js'
import { endProcesses, run, serve } from '../../../scenarios/serve-process.js'
import { freePort } from '../../../servers/ports.js'
import { PostgresServer } from '../../../servers/postgres-server.js'
import { until } from '../../../support/within.js'

const read = (name: string) => readFileSync(new URL(`../../../../../deploy/${name}`, import.meta.url), 'utf8')
const compose = read('compose.yaml')
/** Settings of the Compose files (for nodes, those that all share), and of a node's unit. */
const SETTINGS = {
  one: settingsIn(read('one/compose.yaml'), ':'),
  roles: settingsIn(read('roles/compose.yaml'), ':'),
  compose: settingsIn(/^x-environment: &environment\n((?: {2}.*\n)+)/m.exec(compose)?.[1] ?? '', ':'),
  unit: settingsIn(read('node.env'), '='),
}

describe('the settings in deploy/', function () {
  this.timeout(120_000)
  let database: PostgresServer
  let url: string
  let folder: string

  before(async function () {
    database = await PostgresServer.start()
    url = await database.createDatabase()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-deploy-'))
  })
  after(async () => {
    await endProcesses()
    await database?.remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })

  /** Answers the port. */
  async function start(settings: Record<string, string>, name: string): Promise<number> {
    const port = await freePort()
    const here = {
      DATABASE_URL: url,
      BASE_URL: 'https://pages.example',
      SITE_DOMAIN: 'sites.test',
      HOST: '127.0.0.1',
      PORT: String(port),
    }
    await serve({ env: { ...settings, ...here, DATA_DIR: join(folder, name) } })
    return port
  }

  it('are known by their names', () => {
    const known = readFileSync(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8')
    for (const settings of Object.values(SETTINGS)) {
      assert.ok(Object.keys(settings).length >= 4)
      for (const name of Object.keys(settings)) assert.ok(known.includes(`\`${name}\``), name)
    }
  })

  it('make the three nodes of the Compose file know one another and pass its health check', async () => {
    const numbers = [...compose.matchAll(/NODE_NUMBER: "(\d)"/g)].map(([, number = '']) => number)
    assert.deepEqual(numbers, ['1', '2', '3'])
    const ports: number[] = []
    for (const NODE_NUMBER of numbers) ports.push(await start({ ...SETTINGS.compose, NODE_NUMBER }, NODE_NUMBER))
    ports.push(await start(SETTINGS.unit, 'unit'))
    for (const port of ports)
      await until(
        async () => (await (await fetch(`http://127.0.0.1:${port}/readyz?verbose=1`)).json()) as { nodes: number },
        (answer) => answer.nodes === ports.length,
      )
    const [, check = ''] = /test: \[CMD, node, -e, "(.*)"\]/.exec(compose) ?? []
    const { code } = await run(process.execPath, ['-e', check.replace(':8080', `:${ports[0]}`)])
    assert.equal(code, 0, check)
  })

  it('start an existing program', () => {
    const program = 'dist/program/bin/palimpsest.js'
    const units = ['palimpsest.service', 'palimpsest-api.service', 'palimpsest-sites@.service']
    for (const name of ['Dockerfile', ...units]) assert.ok(read(name).includes(program), name)
    assert.ok(MAIN.endsWith(program), MAIN)
  })
})

/** Names with their values, without the quotes around them. */
function settingsIn(text: string, separator: string): Record<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value = ''] = new RegExp(`^ *([A-Z_]+)${separator} *(.*)$`).exec(line) ?? []
    return name === undefined ? [] : [[name, value.replace(/^"(.*)"$/, '$1')]]
  })
  return Object.fromEntries(lines)
}
