import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { loadConfig } from '../../../src/processes/config/config.js'
import { type RunningApi, startApi } from '../../../src/processes/roles/api.js'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { signWithOwnKey } from '../../../src/repository/disk/signing-key.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { mintTestKey } from '../../support/mint-key.js'
import { requestAs } from './request-as.js'

/** Keys that each node makes at once. */
const KEYS = 8

describe('the audit log of several nodes', () => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'palimpsest-node-')))
  let database: PostgresServer
  let url: string
  let nodes: RunningApi[]
  let key: string

  before(async function () {
    database = await PostgresServer.start()
    url = await database.createDatabase()
    nodes = await Promise.all(
      folders.map((dataDir) => {
        const given = { PORT: '0', DISK_RESERVE_BYTES: '0', WRITER_THREADS: '1', SITE_DOMAIN: 'sites.example' }
        const config = loadConfig({ ...given, DATABASE_URL: url, DATA_DIR: dataDir })
        return startApi(config, { logger: pino({ level: 'silent' }), clock: () => new Date(), newId: randomUUID })
      }),
    )
    const { services } = nodes[0]!.service
    const [workspace] = await services.catalog.workspaces.list()
    key = (await mintTestKey(services, { workspaceId: workspace?.id ?? '', scopes: ['admin'] })).key
  })
  after(async () => {
    for (const node of nodes ?? []) await node.stop()
    await database?.remove()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const ask = (node: RunningApi, method: string, path: string, body?: object) =>
    requestAs(node.port, { method, path: `/api/v1${path}`, bearer: key, body })

  const audit = (dataDir: string, ...args: string[]) =>
    runPalimpsest({ DATABASE_URL: url, DATA_DIR: dataDir, SITE_DOMAIN: 'sites.example' }, 'audit', ...args)

  it('is one chain, which verifies on each node though all write at once', async () => {
    const makers = nodes.flatMap((node) => Array.from({ length: KEYS }, (_, i) => [node, i] as const))
    const made = await Promise.all(makers.map(([node, i]) => ask(node, 'POST', '/keys', { label: `key ${i}` })))
    assert.ok(made.every(({ status }) => status === 201))
    const lists = await Promise.all(nodes.map((node) => ask(node, 'GET', '/audit?action=key.create')))
    const [one, other] = lists.map(({ body }) => body.data as { number: number }[])
    assert.deepEqual(one, other)
    assert.deepEqual(
      one?.map(({ number }) => number),
      Array.from({ length: 2 * KEYS + 1 }, (_, i) => 2 * KEYS + 1 - i),
    )
    for (const dataDir of folders) {
      const { code, stderr, stdout } = await audit(dataDir, 'verify')
      assert.equal(code, 0, stderr)
      assert.match(stdout, new RegExp(`${2 * KEYS + 1} entries are sound`))
    }
  })

  it('loses old entries and facts about people on all nodes, and an anchor that one node signed counts on each', async () => {
    const userId = randomUUID()
    const { catalog } = nodes[0]!.service.services
    const [{ id: workspaceId } = { id: '' }] = await catalog.workspaces.list()
    const actor = { kind: 'session' as const, id: randomUUID(), userId }
    await catalog.audit.record({ workspaceId, actor, action: 'x.y', target: 'x y', personal: { name: 'Ada' } })
    const erased = await audit(folders[1]!, 'erase', '--person', userId)
    assert.match(erased.stdout, /in 1 entries/, erased.stderr)
    // Every entry is older than tomorrow. The clock is that of the database.
    catalog.audit.retain({ days: -1, sign: (text) => signWithOwnKey(folders[0]!, text) })
    await catalog.audit.record({ workspaceId, actor, action: 'x.y', target: 'x y' })
    assert.deepEqual(catalog.audit.anchor(workspaceId)?.number, 2 * KEYS + 2)
    for (const dataDir of folders) {
      const { code, stderr, stdout } = await audit(dataDir, 'verify')
      assert.equal(code, 0, stderr)
      assert.match(stdout, new RegExp(`workspace ${workspaceId}: 1 entries are sound`))
    }
  })
})
