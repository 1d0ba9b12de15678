// Objects outside a site's history: lost ones, and those of a push under way, of an unpublished deploy, or of a deleted site. No line of a
// fetch gets them, nor reveals that they exist.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hashObject } from '../../../src/git/objects/object.js'
import { git } from '../../support/git.js'
import { commandLines, packEntry, packOf, sendPush } from '../../support/raw-push.js'
import { startTestService, type TestService } from '../../support/service.js'
import { PATIENCE_MS, within } from '../../support/within.js'

/** Before each part of a pack (gitprotocol-common, side-band). */
const FRAME = new RegExp(`[0-9a-f]{4}${String.fromCharCode(1)}`, 'g')
const NOWHERE = 'ab'.repeat(20)
const line = (text: string) => (text.length + 5).toString(16).padStart(4, '0') + `${text}\n`

describe('an object outside the history of a site', () => {
  let service: TestService
  let main: string

  before(async () => {
    service = await startTestService('hidden')
    main = git(service.gitdir(), 'rev-parse', 'main')
  })
  after(() => service.stop())

  async function ask(version: number, body: string): Promise<string> {
    const answer = await fetch(`${service.origin}/git/hidden.git/git-upload-pack`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/x-git-upload-pack-request',
        'git-protocol': `version=${version}`,
      },
      body,
    })
    // The cuts of a pack into lines depend on time.
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    return text.replaceAll(FRAME, '')
  }

  const fetchOf = (...args: string[]) =>
    `${line('command=fetch')}0001${['no-progress', ...args].map(line).join('')}0000`

  /** Asserts the same answer as for an object that does not exist, in every version of the protocol, whole and with a filter. */
  async function assertHidden(oid: string): Promise<void> {
    const requests: [number, (oid: string) => string][] = [
      [0, (want) => `${line(`want ${want}`)}0000${line('done')}`],
      [1, (want) => `${line(`want ${want}`)}0000${line('done')}`],
      [2, (want) => fetchOf(`want ${want}`, 'done')],
      [2, (want) => fetchOf(`want ${want}`, 'filter tree:0', 'done')],
      [2, (want) => fetchOf(`want ${main}`, `want ${want}`, 'include-tag', 'done')],
      [2, (have) => fetchOf(`want ${main}`, `have ${have}`)],
      [2, (shallow) => fetchOf(`want ${main}`, `shallow ${shallow}`, 'deepen 1', 'done')],
      [0, (shallow) => `${line(`want ${main}`)}${line(`shallow ${shallow}`)}${line('deepen 1')}0000${line('done')}`],
    ]
    for (const [version, body] of requests) {
      const [said, nothing] = [await ask(version, body(oid)), await ask(version, body(NOWHERE))]
      assert.equal(said.replaceAll(oid, ''), nothing.replaceAll(NOWHERE, ''), body(oid))
    }
  }

  it('is hidden if main lost it, even if another ref keeps it', async () => {
    const lost = git(service.gitdir(), 'commit-tree', '-p', 'main', '-m', 'lost', 'main^{tree}')
    git(service.gitdir(), '-c', 'core.hooksPath=/dev/null', 'update-ref', `refs/palimpsest/lost/${lost}`, lost)
    git(service.gitdir(), 'update-ref', 'refs/heads/draft', lost)
    await assertHidden(lost)
    for (const prefix of ['refs/palimpsest/', 'refs/heads/draft', 'refs/pal'])
      assert.equal(await ask(2, `${line('command=ls-refs')}0001${line(`ref-prefix ${prefix}`)}0000`), '0000')
    const excluding = (ref: string) => ask(2, fetchOf(`want ${main}`, `deepen-not ${ref}`, 'done'))
    const [draft, missing] = [await excluding('refs/heads/draft'), await excluding('refs/heads/other')]
    assert.equal(draft.replaceAll('draft', 'other'), missing)
  })

  it('is hidden while another push brings it', async () => {
    const bytes = Buffer.from('what another push brings')
    const pack = packOf([packEntry('blob', bytes)])
    const coming = () => readdirSync(join(service.gitdir(), 'palimpsest')).some((name) => name.startsWith('push-'))
    async function* slowly() {
      yield commandLines([{ ref: 'refs/heads/main', before: main, after: '1'.repeat(40) }])
      yield pack.subarray(0, -1)
      await within(PATIENCE_MS, () => assert.ok(coming()))
      await assertHidden(hashObject('blob', bytes))
      yield pack.subarray(-1)
    }
    await sendPush(service, slowly())
  })

  it('is hidden if only an unpublished deploy has uploaded it', async () => {
    const bytes = 'what a deploy has uploaded'
    const oid = hashObject('blob', Buffer.from(bytes))
    const files = { 'uploaded.txt': { oid, size: bytes.length } }
    const { body } = await service.api().post('/deploys').send({ files, mode: 'merge' }).expect(201)
    const { id } = (body as { data: { id: string } }).data
    await service.api().put(`/deploys/${id}/blobs/${oid}`).set('Content-Type', 'application/octet-stream').send(bytes)
    await assertHidden(oid)
  })

  it('is gone with its site, which is answered like a site that never existed', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const { body } = await service.api(key).post('/sites').send({ slug: 'retired' }).expect(201)
    const { id } = (body as { data: { id: string } }).data
    const head = git(service.gitdir('retired'), 'rev-parse', 'main')
    await service.api(key).delete(`/sites/${id}`).expect(200)
    await assertHidden(head)
    const answers = await Promise.all(
      ['retired', 'never'].map(async (slug) => {
        const headers = { authorization: `Bearer ${key}` }
        const answer = await fetch(`${service.origin}/git/${slug}.git/info/refs?service=git-upload-pack`, { headers })
        return [answer.status, await answer.text()]
      }),
    )
    assert.deepEqual(answers[0], answers[1])
  })
})
