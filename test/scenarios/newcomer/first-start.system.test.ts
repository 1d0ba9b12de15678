import assert from 'node:assert/strict'
import { PATIENCE_MS, within } from '../../support/within.js'
import { endProcesses } from '../serve-process.js'
import { type Newcomer, startAsNewcomer } from './newcomer.js'

const ANY_KEY = /pal_[0-9A-Za-z]{10}/

describe('the first start on an empty folder, with curl', () => {
  let place: Newcomer

  before(async () => (place = await startAsNewcomer()))
  after(async () => {
    await endProcesses()
    place.remove()
  })

  it('publishes a page with the printed lines, and the next GET returns it byte for byte', async () => {
    await within(PATIENCE_MS, () => assert.match(place.server.printed(), /\n\n/))
    const lines = place.server.printed().match(/^ {2}\S.*$/gm) ?? []
    assert.equal(lines.length, 3)
    const { code, stdout, stderr } = await place.shell(lines.join('\n'))
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^\{"success":true,.*"path":"\/hello"/)
    assert.ok(stdout.endsWith('}\n<h1>Hello</h1>\n'), stdout)
  })

  it('never prints or logs a key after its creation', async () => {
    // The line of a request comes after its answer.
    await within(PATIENCE_MS, () => assert.match(place.server.logged(), /"path":"\/api\/v1\/pages"/))
    assert.doesNotMatch(place.server.printed() + place.server.logged(), ANY_KEY)
  })
})
