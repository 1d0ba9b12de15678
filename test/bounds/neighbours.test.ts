import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ATTACKS } from '../../bench/neighbours/attacks/table.js'
import { Tenant } from '../../bench/neighbours/tenant.js'
import { endProcesses, runPalimpsest, serve } from '../scenarios/serve-process.js'

/** Attacks that need no long preparation; `npm run bench -- neighbours` measures all of them. */
const QUICK = ['filter', 'scopes', 'links', 'nesting', 'values', 'redirects', 'template', 'nested page']
/** Before the service was made for this, a visitor waited 5 to 70 s for most of them. */
const MAX_WAIT_MS = 5000
const PAUSE_MS = 20

describe("a visitor and a reader during another tenant's attack", function () {
  this.timeout(120_000)
  let dataDir: string
  let bad: Tenant
  let good: Tenant
  let pageId: string

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-test-'))
    const { port } = await serve({ dataDir })
    const tenant = async (slug: string) => {
      const made = await runPalimpsest({ DATA_DIR: dataDir }, 'workspaces', 'create', slug, '--site', slug)
      const [id = ''] = /[0-9a-f-]{36}/.exec(made.stdout) ?? []
      const mint = async (scopes: string) =>
        (
          await runPalimpsest({ DATA_DIR: dataDir }, 'keys', 'create', '--workspace', id, '--scopes', scopes)
        ).stdout.trim()
      return new Tenant({ port, dataDir, key: await mint('write'), adminKey: await mint('admin') })
    }
    bad = await tenant('bad')
    good = await tenant('good')
    pageId = (await good.putPage('/page', '<title>page</title>')).id
  })
  after(async () => {
    await endProcesses(dataDir)
  })

  /** The longest wait of one who asks again and again until `work` has ended. */
  const longestWait = async (work: Promise<unknown>, ask: () => Promise<{ status: number }>): Promise<number> => {
    const over = new AbortController()
    void work.then(() => over.abort())
    let longest = 0
    while (!over.signal.aborted) {
      const started = performance.now()
      const { status } = await ask()
      longest = Math.max(longest, performance.now() - started)
      assert.equal(status, 200)
      await delay(PAUSE_MS)
    }
    return longest
  }

  for (const one of ATTACKS.filter(({ name }) => QUICK.includes(name))) {
    it(`are served, and the attack is answered: ${one.about}`, async () => {
      const act = await one.prepare(bad)
      if (typeof act === 'string') return
      const attack = act(AbortSignal.timeout(10_000))
      const waits = await Promise.all([
        longestWait(attack, () => good.visit('good', '/page')),
        longestWait(attack, () => good.api(`/pages/${pageId}`)),
      ])
      assert.doesNotMatch(await attack, /\b(?:0|500)\b/, one.name)
      assert.ok(Math.max(...waits) < MAX_WAIT_MS, `they waited ${waits.map(Math.round).join(' and ')} ms`)
    })
  }
})
