import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { OidSet } from '../../../src/git/objects/oid-set.js'

const oidOf = (text: string) => createHash('sha1').update(text).digest('hex')

describe('a set of oids', () => {
  it('contains exactly the added ids, also very many and similar ones', () => {
    const set = new OidSet()
    const alike = Array.from({ length: 300 }, (_, n) => `0000000001${n.toString(16).padStart(30, '0')}`)
    const added = [...Array.from({ length: 20_000 }, (_, n) => oidOf(`in ${n}`)), ...alike]
    for (const oid of [...added, ...added]) set.add(oid)
    for (const oid of added) assert.ok(set.has(oid), oid)
    for (let n = 0; n < 20_000; n++) assert.ok(!set.has(oidOf(`out ${n}`)))
    assert.ok(set.bytes < 20_300 * 20 * 5)
  })
})
