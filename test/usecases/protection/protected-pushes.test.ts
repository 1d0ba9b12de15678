// Pushes to protected sites: none moves main, each is told the push that proposes the same, and that one is taken.

import assert from 'node:assert/strict'
import { WorkingClones } from '../pushes/working-clones.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Filled, makeCallers, prepareSite, protect } from './prepare-site.js'

interface Listed {
  data: { id: string; number: number; head: string; makers: { label: string }[] }[]
}

describe('a push', () => {
  let service: TestService
  before(async () => {
    service = await startOwnService({ env: { MAX_REQUESTS_PER_MINUTE: '0' } })
  })
  after(() => service.stop())

  for (const protection of ['agents', 'all'] as const)
    describe(`to a site under ${protection}`, () => {
      let site: Filled
      let clones: WorkingClones
      /** Keys and tokens that git can send, by the names of their callers. */
      let bearers: Map<string, string>

      before(async () => {
        site = await prepareSite(service)
        const callers = await makeCallers(site)
        bearers = new Map(
          callers.flatMap(({ name, headers: { Authorization: sent } }) =>
            sent === undefined || name === 'an agent of the tools' ? [] : [[name, sent.replace('Bearer ', '')]],
          ),
        )
        assert.equal(bearers.size, 6)
        clones = new WorkingClones(site.service)
        await protect(site, { protection })
      })
      after(() => clones.remove())

      const newest = async () => {
        const { body } = await site.owner.send('get', `/sites/${site.siteId}/change-requests`).expect(200)
        const [request] = (body as Listed).data
        assert.ok(request !== undefined)
        return request
      }

      it('is refused with the command that proposes the same, which makes a change request for every caller', async () => {
        const before = site.head()
        for (const [name, bearer] of bearers) {
          const clone = await clones.make(bearer)
          const tip = await clones.commit(clone, { 'pushed.txt': name })
          const said = await clones.refused(clone, /rejected.*proposes the same/, 'origin', 'HEAD:main')
          assert.equal(site.head(), before, name)
          const commands = new Set(
            Array.from(said.matchAll(/git push <remote> (\S+) proposes the same/g), ([, to = '']) => to),
          )
          assert.deepEqual([...commands], ['HEAD:refs/for/main'], `${name}: ${said}`)
          await clones.taken(clone, 'origin', ...commands)
          const { number, head } = await newest()
          assert.deepEqual([site.head(), head], [before, tip], name)
          const more = await clones.commit(clone, { 'pushed.txt': 'more' })
          await clones.taken(clone, '-o', `changeRequest=${number}`, 'origin', ...commands)
          assert.deepEqual([site.head(), (await newest()).head], [before, more], name)
        }
      })

      it('is live once its change request is approved and published', async () => {
        const clone = await clones.make(bearers.get('an agent of the API'))
        await clones.commit(clone, { 'approved.html': 'approved' })
        await clones.taken(clone, 'origin', 'HEAD:refs/for/main')
        const { id, head } = await newest()
        const asOwner = (path: string, body: object) =>
          site.owner.send('post', `/change-requests/${id}/${path}`).send(body)
        const publishing = await site.service.api().post(`/change-requests/${id}/publish`).send({}).expect(403)
        assert.equal((publishing.body as { error: { code: string } }).error.code, 'approval_required')
        await asOwner('approvals', { commit: head }).expect(200)
        await asOwner('publish', {}).expect(200)
        assert.equal((await site.service.visit('/approved', site.service.site.slug)).text, 'approved')
      })

      it('that is a dry run is taken, and so are tags of what is published', async () => {
        const before = site.head()
        const clone = await clones.make(bearers.get('a key with admin'))
        await clones.commit(clone, { 'pushed.txt': 'x' })
        const proposal = /this site is protected\. git push <remote> HEAD:refs\/for\/main proposes the same/
        for (const args of [['--force'], ['-o', 'message=x'], ['--follow-tags']])
          await clones.refused(clone, proposal, ...args, 'origin', 'HEAD:main')
        await clones.refused(clone, proposal, 'origin', 'HEAD:main', 'HEAD:refs/tags/v1')
        await clones.refused(clone, /cannot be deleted/, '--delete', 'origin', 'main')
        await clones.refused(clone, /dry run: it would be taken/, '-o', 'dry-run', 'origin', 'HEAD:main')
        await clones.refused(clone, /refs\/tags/, 'origin', 'HEAD:refs/tags/unmerged')
        await clones.refused(clone, /publish <folder> --delete --draft/, 'origin', 'HEAD:refs/heads/topic')
        await clones.taken(clone, 'origin', `${before}:refs/tags/v0`)
        assert.equal(site.head(), before)
      })
    })
})
