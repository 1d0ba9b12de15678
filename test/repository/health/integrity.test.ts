import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Checker } from '../../../src/repository/disk/checks/checker.js'
import { Integrity } from '../../../src/repository/health/integrity.js'
import { Troubles } from '../../../src/repository/health/troubles.js'
import { commitFiles } from '../../scenarios/operators/operator.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { flipByteOf } from '../../support/damage.js'
import { git, withClone } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

/** Checks as often as possible, so that a test sees the result. */
const ENV = { CHECK_INTERVAL_SECONDS: '1', CHECK_BYTES_PER_SECOND: String(1 << 30) }

describe('a byte that goes wrong on the disk', () => {
  let service: TestService
  let mend = (): void => undefined

  before(async () => {
    service = await startOwnService({ env: ENV })
    await service.api().put('/pages?path=/well').type('text/html').send('well').expect(201)
  })
  // Also where a test fails, so that the next one finds the others' bytes right.
  afterEach(() => mend())
  after(() => service.stop())

  const troubles = () =>
    service.server.service.services.store.troubles.of(service.site.id).filter(({ kind }) => kind === 'object')

  /** Publishes a page and does not read it. Returns its html, and the id of its bytes. */
  async function publish(path: string): Promise<{ html: string; oid: string }> {
    const html = `<title>A page</title>${randomBytes(20_000).toString('hex')}`
    await service.api().put(`/pages?path=${path}`).type('text/html').send(html).expect(201)
    return { html, oid: git(service.gitdir(), 'rev-parse', `main:${path.slice(1)}.html`) }
  }

  /** Flips a bit of the object until `mend` is called, or the test ends. */
  function damage(oid: string, gitdir = service.gitdir()): void {
    const flipBack = flipByteOf(gitdir, oid)
    mend = () => {
      flipBack()
      mend = () => undefined
    }
  }

  async function untilNamed(oid: string, words: RegExp): Promise<void> {
    await within(PATIENCE_MS, async () => {
      const trouble = troubles().find(({ subject }) => subject === oid)
      assert.equal(trouble?.kind, 'object')
      assert.match(trouble.what, words)
      assert.match(trouble.remedy, /docs\/repair\.md, "Objects"/)
    })
  }

  async function untilWell(): Promise<void> {
    await within(PATIENCE_MS, async () => assert.deepEqual(troubles(), []))
  }

  it('is reported in a pack before any request for the page; that page is refused and others are served until the pack is repaired', async () => {
    const { html, oid } = await publish('/packed')
    damage(oid)
    await untilNamed(oid, /packed\.html: .* is corrupt: .*it is not served/)
    await service.visit('/packed').expect(503)
    await service.visit('/well').expect(200, 'well')
    mend()
    await untilWell()
    await service.visit('/packed').expect(200, html)
  })

  it('is reported in a loose object, and repaired by publishing the same bytes again', async () => {
    const html = randomBytes(20_000).toString('hex')
    const oid = await withClone(service.gitdir(), (clone) => {
      commitFiles(clone, 'By hand', { 'loose.html': html })
      git(clone, 'push', '--quiet')
      return git(clone, 'rev-parse', 'HEAD:loose.html')
    })
    damage(oid)
    await untilNamed(oid, /loose\.html: .*it is not served/)
    // A push is seen within 200 ms.
    await within(PATIENCE_MS, async () => void (await service.visit('/loose').expect(503)))
    await service.api().put('/pages?path=/the-same').type('text/html').send(html).expect(201)
    await service.visit('/loose').expect(200, html)
    await untilNamed(oid, /another copy of it is served/)
    mend()
    await untilWell()
  })

  it('is reported in a tree with the path of the folder', async () => {
    await publish('/folder/page')
    const oid = git(service.gitdir(), 'rev-parse', 'main:folder')
    damage(oid)
    await untilNamed(oid, /folder\/: /)
    await service.visit('/well').expect(200, 'well')
    mend()
    await untilWell()
  })

  it('is reported in a change request before anybody reads it, for as long as it is damaged', async () => {
    const html = randomBytes(20_000).toString('hex')
    const path = '/pages?path=/proposed&changeRequest=new'
    const { body } = await service.api().put(path).type('text/html').send(html).expect(201)
    const { changeRequest } = body as { changeRequest: string }
    const drafts = join(service.dataDir, 'drafts', `${service.site.slug}.git`)
    const oid = git(drafts, 'rev-parse', `${changeRequest}:proposed.html`)
    damage(oid, drafts)
    await untilNamed(`drafts ${oid}`, new RegExp(`change requests: ${changeRequest}:proposed\\.html: .*not served`))
    const { since } = troubles()[0] ?? {}
    // Longer than a round of the patrol, which clears what it does not find.
    await pause(5000)
    assert.deepEqual(
      troubles().map((trouble) => [trouble.subject, trouble.since]),
      [[`drafts ${oid}`, since]],
    )
    mend()
    await untilWell()
  })

  it('is no longer reported once main is put back to a commit before it', async () => {
    const before = git(service.gitdir(), 'rev-parse', 'main')
    const { oid } = await publish('/lost')
    damage(oid)
    await untilNamed(oid, /lost\.html: /)
    // Waits until the service has seen this head.
    await pause(2000)
    git(service.gitdir(), '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', before)
    await untilWell()
    await service.visit('/well').expect(200, 'well')
  })

  it('is not looked for while the service is busy', async () => {
    const { oid } = await publish('/busy')
    let isBusy = true
    const found = new Troubles({ clock: () => new Date() })
    const integrity = new Integrity({
      checker: new Checker(service.server.service.services.store.repositories),
      listSites: async () => [service.site],
      troubles: found,
      limits: { bytesPerSecond: 1 << 30, intervalSeconds: 0 },
      isBusy: () => isBusy,
      onError: (error) => assert.fail(String(error)),
    })
    damage(oid)
    try {
      integrity.start()
      await pause(500)
      assert.deepEqual(found.list(), [])
      isBusy = false
      await within(PATIENCE_MS, () => assert.equal(found.list()[0]?.subject, oid))
    } finally {
      await integrity.stop()
    }
  })
})
