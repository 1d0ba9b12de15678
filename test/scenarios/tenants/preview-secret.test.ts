import assert from 'node:assert/strict'
import { commitFiles } from '../operators/operator.js'
import { git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('a preview', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
    await withClone(service.gitdir(), (folder) => {
      commitFiles(folder, 'Add headers', { _headers: "/*\n  Content-Security-Policy: object-src 'none'\n" })
      git(folder, 'push', '--quiet')
    })
  })
  after(() => service.stop())

  it("keeps the site's content security policy in addition to its own", async () => {
    const { body } = await service.api().put('/pages?path=/draft&dryRun=true').send({ html: '<p>draft' }).expect(200)
    const { hostname, pathname } = new URL((body.data as { dryRun: { previewUrl: string } }).dryRun.previewUrl)
    const { headers } = await service.visit(pathname, hostname.split('.', 1)[0])
    assert.match(String(headers['content-security-policy']), /^object-src 'none', sandbox /)
  })
})
