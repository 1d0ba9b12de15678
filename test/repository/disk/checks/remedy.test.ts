import assert from 'node:assert/strict'
import { diagnose, REMEDY } from '../../../../src/repository/protocol/trouble.js'

describe('the remedy for an error', () => {
  it('is to give access to the file, not to repair it, if the file may not be read', () => {
    const denied = "the repository's config cannot be read: Error: EACCES: permission denied, open 'config'"
    assert.equal(diagnose(new Error(denied), REMEDY.form).remedy, REMEDY.access)
    assert.equal(diagnose(new Error('HEAD cannot be read: ENOENT'), REMEDY.form).remedy, REMEDY.form)
  })
})
