import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ServiceError } from '../../../src/model/errors.js'
import { runBatch } from '../../../src/usecases/batch/batch.js'
import { checkSite } from '../../../src/usecases/checks/checks.js'
import { createCollection } from '../../../src/usecases/records/collections.js'
import { createPage, putPage } from '../../../src/usecases/pages/pages.js'
import { diffVersions } from '../../../src/usecases/pages/versions.js'
import { git, withClone } from '../../support/git.js'
import { mainThreadMs } from '../../tasks/analysis/processor-time.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

/** A wide margin: each of these held the serving thread for seconds. */
const MAX_STALL_MS = 1000

/** Sorting so many fields takes 500 ms and more; the rest of such a batch some 120. */
const MAX_SORTING_MS = 350

/** Milliseconds of work that the thread did at one stretch. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let seen = mainThreadMs()
  const timer = setInterval(() => {
    const now = mainThreadMs()
    longest = Math.max(longest, now - seen)
    seen = now
  }, 5)
  try {
    await work()
    await new Promise((resolve) => setTimeout(resolve, 20))
  } finally {
    clearInterval(timer)
  }
  return longest
}

describe('a request that costs much', () => {
  let parts: ServiceParts
  before(async () => {
    parts = await openServiceParts()
  })
  after(() => parts.stop())

  async function staysFree(work: () => Promise<unknown>): Promise<void> {
    const stall = await longestStall(work)
    assert.ok(stall < MAX_STALL_MS, `the serving thread stood still for ${Math.round(stall)} ms`)
  }

  const show = (html: string) => createPage(parts.call(), { path: '/n', html, dryRun: true })

  it('leaves the serving thread free while a dry run reads a page of 180,000 nested elements', async () => {
    await staysFree(() => show('<div>'.repeat(180_000)))
  })

  it('leaves it free while a dry run checks 70,000 broken links, and says that not all were checked', async () => {
    const html = Array.from({ length: 70_000 }, (_, n) => `<a href=${n}>`).join('')
    await staysFree(async () => {
      const { data } = await show(html)
      assert.equal(data.dryRun?.warnings.at(-1)?.code, 'links_unchecked')
    })
  })

  it('leaves it free while the checks read a page of 180,000 nested elements', async () => {
    await putPage(parts.call(), { path: '/deep', html: '<p>'.repeat(300_000) })
    await staysFree(async () => {
      const { data } = await checkSite(parts.call(), { id: parts.site.id })
      assert.deepEqual([data.complete, data.findings], [true, []])
    })
  })

  it('leaves it free while two versions of a megabyte with nothing in common are compared', async () => {
    const lines = (mark: string) => Array.from({ length: 120_000 }, (_, n) => `${mark}${n}`).join('\n')
    const { data } = await putPage(parts.call(), { path: '/diff', html: lines('a') })
    await putPage(parts.call(), { path: '/diff', html: lines('b') })
    await staysFree(async () => {
      const { data: diff } = await diffVersions(parts.call(), { id: data.id })
      assert.equal(diff.unified, null)
    })
  })

  const costly = {
    'splits a long text, sorts and joins it': '{{ content | split: "" | sort | join: "" | size }}',
    'sorts five million numbers': '{% assign n = (1..5000000) | sort | reverse | uniq %}{{ n | size }}',
    'escapes a text six times': `{{ content | ${Array.from({ length: 6 }, () => 'escape').join(' | ')} | size }}`,
  }
  for (const [what, source] of Object.entries(costly)) {
    it(`leaves it free while a template ${what}`, async () => {
      await withClone(parts.gitdir(), (folder) => {
        mkdirSync(join(folder, '.templates'), { recursive: true })
        writeFileSync(join(folder, '.templates/costly.html'), source)
        git(folder, 'add', '-A')
        git(folder, 'commit', '-q', '-m', what)
        git(folder, 'push', '-q')
      })
      await pause(300)
      const html = '&<'.repeat(500_000)
      await staysFree(() =>
        createPage(parts.call(), { path: '/t', html, templateId: 'costly', dryRun: true }).catch((error: unknown) =>
          assert.ok(error instanceof ServiceError && /too_costly|service_busy|template_failed/.test(error.code)),
        ),
      )
    })
  }

  it('leaves it free if a batch edits one page of a megabyte fifty times, which is refused before any work', async () => {
    const html = 'a'.repeat(1_000_000)
    const { data: page } = await putPage(parts.call(), { path: '/edited', html })
    const edits = Array.from({ length: 100 }, (_, n) => ({ find: `${'a'.repeat(1_000 + n)}b`, replace: '' }))
    const operation = { op: 'editContent', id: page.id, ifMatch: page.etag, edits } as const
    const operations = Array.from({ length: 50 }, () => operation)
    const begun = process.cpuUsage()
    await staysFree(async () => {
      await assert.rejects(runBatch(parts.call(), { operations }), (error) => {
        assert.ok(error instanceof ServiceError && error.code === 'batch_refused')
        const { errors } = error.details as { errors: { code: string }[] }
        assert.deepEqual(
          errors.map(({ code }) => code),
          ['edit_not_applicable', ...Array.from({ length: 49 }, () => 'conflict')],
        )
        return true
      })
    })
    const { user } = process.cpuUsage(begun)
    assert.ok(user < 2e6, `${user} microseconds`)
  })

  it('leaves it free while a batch with an idempotency key brings 200,000 unsorted fields', async () => {
    const { data: collection } = await createCollection(parts.call(), { name: 'Long' })
    const names = Array.from({ length: 18_000 }, (_, n) => `k${(n * 7_919) % 18_000}`)
    const data = Object.fromEntries(names.map((name, n) => [name, n]))
    const operation = { op: 'createRecord', collectionId: collection.id, data } as const
    const operations = Array.from({ length: 11 }, () => operation)
    const send = () => runBatch(parts.call({ idempotencyKey: 'long' }), { operations })
    let first: unknown
    const stall = await longestStall(async () => void (first = (await send()).data))
    assert.ok(stall < MAX_SORTING_MS, `the serving thread stood still for ${Math.round(stall)} ms`)
    assert.deepEqual((await send()).data, first)
  })
})
