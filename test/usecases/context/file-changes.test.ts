import assert from 'node:assert/strict'
import { toFileChanges } from '../../../src/usecases/context/file-changes.js'

describe('the files that a commit changed', () => {
  it('begin with its pages and files, so that a commit of very many pages shows them before their sidecars', () => {
    const entry = { mode: 0o100644, oid: 'a'.repeat(40) }
    const added = (path: string) => ({ path, after: entry })
    const sidecars = Array.from({ length: 700 }, (_, n) => added(`.pages/00/${1000 + n}.json`))
    const pages = Array.from({ length: 700 }, (_, n) => added(`p/${1000 + n}.html`))
    const told = toFileChanges([...sidecars, ...pages])
    assert.equal(told.length, 1000)
    assert.deepEqual(
      told.slice(0, 700),
      pages.map(({ path }) => ({ path, change: 'added' })),
    )
  })
})
