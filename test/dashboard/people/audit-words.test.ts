import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '../../../dashboard/src/api/answers.js'
import { sentenceOf } from '../../../dashboard/src/screens/audit/words.js'

const ENTRY: AuditEntry = {
  number: 1,
  at: '2026-11-28T12:00:00Z',
  actor: { kind: 'session', id: 'a session' },
  action: 'session.begin',
  target: 'session 1',
  details: {},
  personal: null,
  hash: '',
}

const say = (entry: Partial<AuditEntry>) => sentenceOf({ ...ENTRY, ...entry }, () => 'chess')

describe('the sentences of the audit log', () => {
  it('are there for every action that the service records', () => {
    const recorded = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const text = readFileSync(join('src', name), 'utf8')
        return [...text.matchAll(/(?:action: |auditKey\(call, )'([a-z_-]+\.[a-z_-]+)'/g)].map(
          ([, action]) => action ?? '',
        )
      })
    assert.ok(recorded.length > 40)
    // An action without a sentence is told by its own words, which begin with a small letter.
    assert.deepEqual(
      recorded.filter((action) => !/^[A-Z]/.test(say({ action }))),
      [],
    )
  })

  it('name people, roles, ways to sign in and sites', () => {
    const about = { about: 'Grace' }
    const after = { role: 'editor', sites: null }
    assert.equal(say({ details: { means: 'passkey' } }), 'Signed in with a passkey')
    assert.equal(say({ action: 'member.change', details: { after }, personal: about }), 'Made Grace an editor')
    assert.equal(say({ action: 'member.remove', personal: about }), 'Removed Grace')
    assert.equal(say({ action: 'member.remove' }), 'Removed somebody')
    assert.equal(say({ action: 'mirror.set', target: 'site 1' }), 'Set the mirror of chess')
    assert.equal(say({ action: 'site.delete', details: { slug: 'go' } }), 'Deleted the site go')
    assert.equal(
      say({ action: 'mail-domain.set', target: 'mail-domain club.example' }),
      'Let the people of club.example join',
    )
  })

  it('are the words of the action where a newer service recorded something else', () => {
    assert.equal(say({ action: 'moon.land-on', personal: { about: 'Apollo' } }), 'Apollo moon land on')
  })
})
