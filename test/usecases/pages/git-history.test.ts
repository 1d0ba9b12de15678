import { startTestService, type TestService } from '../../support/service.js'
import { assertActsAsGit } from './act-as-git.js'

/** `npm run test:system -- programs` tries more. */
const HISTORIES = 2

describe('the history of a site', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  it('has the versions that git log lists, and goes back as git revert does', async () => {
    await assertActsAsGit(service, HISTORIES)
  })
})
