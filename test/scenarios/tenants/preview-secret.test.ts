import assert from 'node:assert/strict'
import { commitFiles } from '../operators/operator.js'
import { git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('a preview', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
    await withClone(service.gitdir(), (folder) => {
      const rules =
        "/*\n  Content-Security-Policy: object-src 'none'\n" +
        "/framed/*\n  X-Frame-Options: DENY\n  Content-Security-Policy: img-src *; Frame-Ancestors 'none'\n"
      commitFiles(folder, 'Add headers', { _headers: rules, 'framed/page.html': '<p>live' })
      git(folder, 'push', '--quiet')
    })
  })
  after(() => service.stop())

  it("is shown in frames whatever the site's rules say, and the live page is not", async () => {
    const { body } = await service
      .api()
      .put('/pages?path=/framed/page&dryRun=true')
      .send({ html: '<p>live' })
      .expect(200)
    const { changed, dryRun } = body.data as { changed?: false; dryRun: { previewUrl: string } }
    assert.equal(changed, false)
    const { hostname, pathname } = new URL(dryRun.previewUrl)
    const shown = await service.visit(pathname, hostname.split('.', 1)[0])
    assert.deepEqual([shown.status, shown.text], [200, '<p>live'])
    assert.equal(shown.headers['x-frame-options'], undefined)
    assert.match(String(shown.headers['content-security-policy']), /^object-src 'none', img-src \*, sandbox [a-z -]+$/)
    const live = await service.visit('/framed/page')
    assert.equal(live.headers['x-frame-options'], 'DENY')
    assert.match(String(live.headers['content-security-policy']), /Frame-Ancestors 'none'/)
  })

  it("keeps the site's content security policy in addition to its own", async () => {
    const { body } = await service.api().put('/pages?path=/draft&dryRun=true').send({ html: '<p>draft' }).expect(200)
    const { hostname, pathname } = new URL((body.data as { dryRun: { previewUrl: string } }).dryRun.previewUrl)
    const { headers } = await service.visit(pathname, hostname.split('.', 1)[0])
    assert.match(String(headers['content-security-policy']), /^object-src 'none', sandbox /)
  })
})
