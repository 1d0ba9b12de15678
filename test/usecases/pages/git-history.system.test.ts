// More random histories than `npm test` has time for.

import { startTestService, type TestService } from '../../support/service.js'
import { assertActsAsGit } from './act-as-git.js'

/** `HISTORIES=2000 npm test -- test/usecases/pages/git-history.system.test.ts` tries more. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 30)

describe('the history of a site', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  it(`has the versions that git log lists, and goes back as git revert does, in ${HISTORIES} random histories`, async () => {
    await assertActsAsGit(service, HISTORIES)
  })
})
