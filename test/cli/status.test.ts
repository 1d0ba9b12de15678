// `palimpsest status` beside a running service, both as processes of their own.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkRow } from '../../src/admission/figures.js'
import { endProcesses, runPalimpsest, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { startOwnService } from '../support/service.js'
import { until } from '../support/within.js'

describe('palimpsest status', () => {
  let dataDir: string
  let service: ServeProcess
  let key: string

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-status-'))
    service = await serve({ dataDir })
    const made = await runPalimpsest({ DATA_DIR: dataDir, USER: 'ada' }, 'keys', 'create', '--scopes', 'write')
    key = made.stdout.trim()
  })
  after(async () => {
    await endProcesses(dataDir)
  })

  const status = (...args: string[]) => runPalimpsest({ BASE_URL: service.origin }, 'status', ...args)
  const work = async () => {
    const { code, stdout, stderr } = await status('--service', '--json')
    assert.equal(code, 0, stderr)
    return (JSON.parse(stdout) as { work: WorkRow[] }).work
  }
  const figuresOf = async (name: string) => (await work()).find((row) => row.name === name)

  it('lists each kind of work with what runs and what waits, with --service alone', async () => {
    assert.equal((await status()).stdout.trimEnd().split('\n').length, 2)
    const { code, stdout, stderr } = await status('--service')
    assert.deepEqual([code, stderr], [0, ''])
    const [address, noKey, ...rows] = stdout.trimEnd().split('\n')
    assert.deepEqual([address, noKey], [`service\t${service.origin}`, 'key\tnone: "palimpsest login" stores one'])
    for (const row of rows) assert.match(row, /^[a-z-]+\t\d+\t\d+$/)
    const names = rows.map((row) => row.split('\t')[0])
    for (const name of ['api-requests', 'turn', 'tasks', 'writes', 'index', 'git-pushes', 'imports'])
      assert.ok(names.includes(name), name)
    assert.deepEqual(
      (await work()).map(({ name }) => name),
      names,
    )
  })

  it('counts a request that is not answered yet, and no longer once it is', async () => {
    assert.equal((await figuresOf('api-requests'))?.running, 0)
    const sending = request(`${service.origin}/api/v1/pages?path=/slow`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/html', 'Content-Length': 5 },
    })
    const answered = once(sending, 'response')
    sending.write('wo')
    await until(
      () => figuresOf('api-requests'),
      (row) => row?.running === 1,
    )
    sending.end('rds')
    const [answer] = await answered
    assert.equal((answer as { statusCode: number }).statusCode, 201)
    await until(
      () => figuresOf('api-requests'),
      (row) => row?.running === 0,
    )
  })

  it('names the key, its workspace and the site that commands mean, in four lines', async () => {
    const { stdout } = await runPalimpsest({ BASE_URL: service.origin, PALIMPSEST_TOKEN: key }, 'status')
    assert.match(stdout, /^service\t\S+\nkey\tada \(read, write\)\nworkspace\t.+\nsite\tdemo \(http:\/\/demo\..+\)\n$/)
    const json = await runPalimpsest({ BASE_URL: service.origin, PALIMPSEST_TOKEN: key }, 'status', '--json')
    const { me, site } = JSON.parse(json.stdout)
    assert.deepEqual([me.key.label, site.slug], ['ada', 'demo'])
  })

  it('names a site in trouble, with the remedy, on standard error', async () => {
    const main = join(dataDir, 'demo.git', 'refs/heads/main')
    const whole = readFileSync(main)
    writeFileSync(main, 'nothing\n')
    try {
      const { stderr } = await until(status, (answer) => answer.stderr !== '')
      assert.match(stderr, /^demo: repository: refs\/heads\/main does not hold an object id\n {2}\S/)
    } finally {
      writeFileSync(main, whole)
    }
    await until(status, ({ stderr }) => stderr === '')
  })

  it('says that nothing answers, with the exit code 3, and that another program answers, with 1', async () => {
    const other = createServer((_request, response) => response.end('hello'))
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const at = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const wrong = await runPalimpsest({ BASE_URL: at }, 'status')
    assert.equal(wrong.code, 1, wrong.stderr)
    assert.match(wrong.stderr, /is not this service/)
    await new Promise((closed) => other.close(closed))
    const none = await runPalimpsest({ BASE_URL: at }, 'status')
    assert.equal(none.code, 3, none.stderr)
    assert.match(none.stderr, /Nothing answers at/)
  })
})

describe('palimpsest status of a public service', () => {
  it('shows its work to nobody, and says who may see the troubles', async () => {
    const service = await startOwnService({ env: { BASE_URL: 'https://api.example.org', SITE_DOMAIN: 'localhost' } })
    try {
      const { code, stdout, stderr } = await runPalimpsest({ BASE_URL: service.origin }, 'status', '--service')
      assert.equal(code, 0)
      assert.match(stdout, /^service\t\S+\nkey\tnone: .*\n$/)
      assert.match(stderr, /shows its work only to callers on its own machine[^]*Send a key with the scope admin/)
    } finally {
      await service.stop()
    }
  })
})
