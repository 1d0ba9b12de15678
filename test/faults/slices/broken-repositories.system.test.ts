import assert from 'node:assert/strict'
import { breakRepositories } from '../programs/broken-repositories.js'
import { DAMAGES } from '../ground/damage.js'

const SLICE = ['a pack cut short', 'a hook of another service', "a file for the service's own folder"]

describe('a broken repository', () => {
  it('harms only its own site, is reported with a remedy, and is repaired as documented', async () => {
    const wrong: string[] = []
    let repaired = 0
    const report = {
      begin: () => undefined,
      miss: () => undefined,
      acknowledge: () => void repaired++,
      lose: (what: string) => void wrong.push(`lost: ${what}`),
      violate: (what: string) => void wrong.push(what),
    }
    const damages = DAMAGES.filter(({ name }) => SLICE.includes(name))
    await breakRepositories(damages, report, ['live'])
    assert.deepEqual(wrong, [])
    assert.equal(repaired, SLICE.length)
  })
})
