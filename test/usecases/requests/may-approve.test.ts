import assert from 'node:assert/strict'
import type { RequestMaker } from '../../../src/catalog/requests/makers.js'
import { ServiceError } from '../../../src/model/errors.js'
import type { Principal } from '../../../src/model/principal.js'
import type { Protection } from '../../../src/model/rights/protection.js'
import type { Role } from '../../../src/model/rights/roles.js'
import { couldApprove, isApproved, refuseApproval, whyNotApprove } from '../../../src/usecases/requests/may-approve.js'
import { isAuthor, makersOf, maySee } from '../../../src/usecases/protection/request-author.js'
import { type Publishing, refusePublishing } from '../../../src/usecases/requests/may-publish.js'

const SITE = { id: 'site', workspaceId: 'w', protection: 'all', approvers: 'editor' } as const

const maker = (madeBy: string, userId: string | null = null): RequestMaker => ({ madeBy, userId, label: madeBy })
const BY_ADA = maker('user ada', 'ada')
const BY_ADAS_AGENT = maker('agent a1', 'ada')
const BY_ADAS_KEY = maker('key k1', 'ada')
const BY_KEY_OF_WORKSPACE = maker('key k2')
const BY_TOKEN = maker('token t1')
const BY_OPERATOR = maker('operator operator')
const BY_UNNAMED = maker('session s0')

function person(id: string, role: Role = 'editor', more: Partial<Principal> = {}): Principal {
  const base = {
    kind: 'session',
    id: `session of ${id}`,
    label: id,
    workspaceId: 'w',
    scopes: [],
    sites: null,
  } as const
  return { ...base, person: { id, name: id, role }, expiresAt: null, ...more }
}
const programs: Record<string, Principal> = {
  'her key': person('ada', 'owner', { kind: 'key', id: 'k1' }),
  'her agent': person('ada', 'owner', { kind: 'agent', id: 'a1' }),
  'another agent of hers': person('ada', 'owner', { kind: 'agent', id: 'a2' }),
  'a token': { ...person('t1'), kind: 'token', id: 't1' },
  'the operator': { ...person('o'), kind: 'operator' },
}

describe('an approval of a change request', () => {
  const rows: [name: string, makers: RequestMaker[], by: Principal, under: Record<Protection, 'taken' | 'refused'>][] =
    [
      ['of her agent, by herself', [BY_ADAS_AGENT], person('ada'), { none: 'taken', agents: 'taken', all: 'taken' }],
      ['of her key, by herself', [BY_ADAS_KEY], person('ada'), { none: 'taken', agents: 'taken', all: 'taken' }],
      ['of her session, by herself', [BY_ADA], person('ada'), { none: 'taken', agents: 'taken', all: 'refused' }],
      [
        'of her agent and her session',
        [BY_ADAS_AGENT, BY_ADA],
        person('ada'),
        { none: 'taken', agents: 'taken', all: 'refused' },
      ],
      ['of her session, by another', [BY_ADA], person('bob'), { none: 'taken', agents: 'taken', all: 'taken' }],
      [
        'of a key of the workspace',
        [BY_KEY_OF_WORKSPACE],
        person('ada'),
        { none: 'taken', agents: 'taken', all: 'taken' },
      ],
      ['of a token', [BY_TOKEN], person('ada'), { none: 'taken', agents: 'taken', all: 'taken' }],
      ['of the operator', [BY_OPERATOR], person('ada'), { none: 'taken', agents: 'taken', all: 'taken' }],
      [
        'of a session without a person',
        [BY_UNNAMED],
        person('ada'),
        { none: 'taken', agents: 'taken', all: 'refused' },
      ],
      ['by an author', [BY_TOKEN], person('ada', 'author'), { none: 'refused', agents: 'refused', all: 'refused' }],
      [
        'by an admin of another site',
        [BY_TOKEN],
        person('ada', 'admin', { sites: ['other'] }),
        { none: 'refused', agents: 'refused', all: 'refused' },
      ],
      [
        'by an admin of this site',
        [BY_TOKEN],
        person('ada', 'admin', { sites: ['site'] }),
        { none: 'taken', agents: 'taken', all: 'taken' },
      ],
      [
        'by an owner elsewhere',
        [BY_TOKEN],
        person('ada', 'owner', { workspaceId: 'v' }),
        { none: 'refused', agents: 'refused', all: 'refused' },
      ],
      [
        'in a session that an owner lent',
        [BY_TOKEN],
        person('bob', 'owner', { lentBy: ['ada'] }),
        { none: 'refused', agents: 'refused', all: 'refused' },
      ],
      ...Object.entries(programs).map(([name, principal]): (typeof rows)[number] => [
        `by ${name}`,
        [BY_ADAS_AGENT],
        principal,
        { none: 'refused', agents: 'refused', all: 'refused' },
      ]),
    ]
  for (const [name, makers, principal, under] of rows)
    it(`${name} is ${Object.entries(under)
      .map(([protection, answer]) => `${answer} under ${protection}`)
      .join(', ')}`, () => {
      for (const [protection, answer] of Object.entries(under) as [Protection, string][]) {
        const request = { site: { ...SITE, protection }, makers }
        const reason = whyNotApprove(request, principal)
        assert.equal(reason === undefined ? 'taken' : 'refused', answer, `${protection}: ${reason}`)
      }
    })

  it('needs the least role that the site names', () => {
    const request = { site: { ...SITE, approvers: 'admin' as const }, makers: [BY_TOKEN] }
    assert.match(whyNotApprove(request, person('ada', 'editor')) ?? '', /needs the role admin/)
    assert.equal(whyNotApprove(request, person('ada', 'admin')), undefined)
    assert.throws(() => refuseApproval(request, person('ada', 'editor')), { code: 'approval_refused' })
  })

  it('holds for its commit alone, while the person has the rights', () => {
    const request = { site: SITE, makers: [BY_ADA] }
    const approvals = [{ commit: 'a', userId: 'bob', label: 'Bob', createdAt: '' }]
    const editor = () => ({ role: 'editor' as const, sites: null })
    assert.ok(isApproved(request, 'a', approvals, editor))
    assert.ok(!isApproved(request, 'b', approvals, editor), 'a later commit')
    assert.ok(!isApproved(request, 'a', approvals, () => undefined), 'the person has left')
    assert.ok(!isApproved(request, 'a', approvals, () => ({ role: 'author', sites: null })), 'a weaker role')
    const later = { ...request, makers: [BY_ADA, maker('user bob', 'bob')] }
    assert.ok(!isApproved(later, 'a', approvals, editor), 'the person wrote to it since')
  })

  it('could be given by the members with the role at the site', () => {
    const members = [
      { rights: { role: 'owner', sites: null } },
      { rights: { role: 'editor', sites: ['other'] } },
      { rights: { role: 'editor', sites: ['site'] } },
      { rights: { role: 'author', sites: null } },
    ] as const
    assert.deepEqual(couldApprove(SITE, members), [members[0], members[2]])
  })
})

describe('publishing a change request', () => {
  function refusalOf(publishing: Partial<Publishing>): string | undefined {
    const all = {
      site: SITE,
      principal: person('ada'),
      scopes: ['write'],
      isApproved: false,
      isExcepted: false,
    } as const
    try {
      refusePublishing({ ...all, ...publishing })
      return undefined
    } catch (error) {
      assert.ok(error instanceof ServiceError)
      return error.code
    }
  }
  const under = (protection: Protection) => ({ site: { protection } })
  const key = { principal: person('ada', 'owner', { kind: 'key' }) }

  it('needs the scope to write, everywhere', () => {
    for (const protection of ['none', 'agents', 'all'] as const)
      assert.equal(refusalOf({ ...under(protection), scopes: ['propose'], isApproved: true }), 'insufficient_scope')
  })

  it('is for all who may write at a site that is not protected', () => {
    assert.equal(refusalOf({ ...under('none'), ...key }), undefined)
    assert.equal(refusalOf(under('none')), undefined)
  })

  it('is for people under agents, and for excepted keys once it is approved', () => {
    assert.equal(refusalOf(under('agents')), undefined)
    assert.equal(refusalOf({ ...under('agents'), ...key, isApproved: true }), 'approval_required')
    assert.equal(refusalOf({ ...under('agents'), ...key, isExcepted: true }), 'approval_required')
    assert.equal(refusalOf({ ...under('agents'), ...key, isExcepted: true, isApproved: true }), undefined)
  })

  it('needs an approval under all', () => {
    assert.equal(refusalOf(under('all')), 'approval_required')
    assert.equal(refusalOf({ ...under('all'), isApproved: true }), undefined)
    assert.equal(refusalOf({ ...under('all'), ...key, isApproved: true }), 'approval_required')
    assert.equal(refusalOf({ ...under('all'), principal: programs['the operator']! }), undefined)
  })
})

describe('a change request', () => {
  const byAgent = { madeBy: 'agent a1', userId: 'ada' }

  it('has the principal that made it as its author, and the person for whom that acts', () => {
    assert.ok(isAuthor(byAgent, programs['her agent']!))
    assert.ok(isAuthor(byAgent, person('ada')))
    for (const other of [programs['another agent of hers']!, programs['her key']!, person('bob')])
      assert.ok(!isAuthor(byAgent, other))
    assert.ok(
      !isAuthor({ madeBy: 'user ada', userId: 'ada' }, programs['her agent']!),
      'a program sees no draft of its person',
    )
  })

  it('is seen by its author and by those who may write', () => {
    assert.ok(maySee(byAgent, programs['her agent']!, ['read']))
    assert.ok(!maySee(byAgent, person('bob'), ['propose']))
    assert.ok(maySee(byAgent, person('bob'), ['write']))
  })

  it('names as its makers the writer, and the owners who lent the session', () => {
    assert.deepEqual(makersOf(programs['her agent']!), [{ madeBy: 'agent a1', userId: 'ada', label: 'ada' }])
    assert.deepEqual(makersOf(person('bob', 'editor', { lentBy: ['ada'] })), [
      { madeBy: 'user bob', userId: 'bob', label: 'bob' },
      { madeBy: 'user ada', userId: 'ada', label: 'bob' },
    ])
  })
})
