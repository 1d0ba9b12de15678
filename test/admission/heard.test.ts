// One test for each row of the table of limits: what a client hears past it. The places and the memory are taken by the test itself.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import supertest from 'supertest'
import type { Admission } from '../../src/admission/admission.js'
import type { GateName } from '../../src/admission/gate-rows.js'
import { limitRows } from '../../src/admission/limit-table.js'
import { rebuiltMemory } from '../../src/admission/memory-budget.js'
import type { MemoryClass } from '../../src/admission/memory-rows.js'
import { DEFAULT_SIZES } from '../../src/admission/row.js'
import { ERROR_STATUS } from '../../src/protocols/api/routes/error-status.js'
import { createClient } from '../../src/protocols/client/client.js'
import type { ErrorCode } from '../../src/model/errors.js'
import { holdRebuilt } from '../../src/repository/reading/rebuilt-blobs.js'
import { manifestOf, tarOf } from '../scenarios/files/folder.js'
import { git } from '../support/git.js'
import { startOwnService, type TestService } from '../support/service.js'

const MIB = 1024 * 1024
const HERE = '127.0.0.1'

/** Rows that another file tests: their clients hear nothing, are cut off, or pass a quota. Nobody hears of background work. */
const ELSEWHERE = {
  requests: 'test/processes/roles/request-turns.test.ts',
  pieces: 'test/protocols/host/answer/send-body.test.ts',
  'memory-of-previews': 'test/scenarios/tenants/previews.test.ts',
  deploys: 'test/repository/uploads/deploy-folders.bounds.test.ts',
  mirrors: 'test/git/remotes/mirror-turns.test.ts',
  'starting-pushes': 'test/git/remotes/mirror-turns.test.ts',
  maintenance: 'test/repository/health/maintenance-queue.test.ts',
  index: 'test/threads/jobs.test.ts',
  pictures: 'test/protocols/host/pictures/kept-pictures.test.ts',
  connections: 'test/scenarios/wire/abusive-clients.test.ts',
  'slow-clients': 'test/protocols/api/bodies.test.ts',
  'rate-of-searches-of-address': 'test/scenarios/authors/hosted-search.test.ts',
  'rate-of-searches-of-site': 'test/scenarios/authors/hosted-search.test.ts',
  'sign-ins': 'test/usecases/sign-in/trouble.test.ts',
  'rate-of-begun-sign-ins': 'test/usecases/sign-in/attacks.test.ts',
  'client-documents': 'test/protocols/oauth/strangers.test.ts',
  'rate-of-client-documents': 'test/protocols/oauth/strangers.test.ts',
  'unfinished-rows': 'test/protocols/oauth/strangers.test.ts',
  'unfinished-row': 'test/protocols/oauth/strangers.test.ts',
  comment: 'test/usecases/comments/comments.test.ts',
  'quota-of-comments': 'test/usecases/comments/comments.test.ts',
  'quota-of-comments-by-guests': 'test/catalog/requests/comments.test.ts',
  'quota-of-comments-by-a-link': 'test/catalog/requests/comments.test.ts',
  'quota-of-comments-of-a-site': 'test/catalog/requests/comments.test.ts',
  'rate-of-guests': 'test/usecases/reviews/guests.test.ts',
  'rate-of-guests-of-address': 'test/usecases/reviews/guests.test.ts',
  'quota-of-bytes': 'test/usecases/quotas/quotas.test.ts',
  'quota-of-change-requests': 'test/usecases/requests/retire-old.test.ts',
  'quota-of-own-change-requests': 'test/usecases/requests/retire-old.test.ts',
  'schedule-ahead': 'test/usecases/requests/schedule/at-its-time.test.ts',
  'quota-of-pages': 'test/usecases/quotas/quotas.test.ts',
  'quota-of-sites': 'test/usecases/quotas/quotas.test.ts',
}

describe('past a limit', () => {
  let service: TestService
  let admission: Admission
  let leave: (() => void)[] = []
  let deploy = ''
  const tested = new Set<string>()

  before(async () => {
    service = await startOwnService({
      env: {
        INTROSPECTION_URL: 'http://127.0.0.1:9/introspect',
        INTROSPECTION_CLIENT_ID: 'a',
        INTROSPECTION_CLIENT_SECRET: 'b',
      },
    })
    admission = service.server.service.services.admission
    await service.api().put('/pages?path=/page').type('html').send('<p>page').expect(201)
    await put('/large.bin', randomBytes(2 * MIB))
    await put('/long.bin', randomBytes(17 * MIB))
    await put('/middle.bin', randomBytes(MIB))
    const folder = { 'index.html': '<h1>Deployed' }
    const { body } = await service
      .api()
      .post('/deploys')
      .send({ files: manifestOf(folder) })
      .expect(201)
    deploy = `/deploys/${body.data.id}`
    await service
      .api()
      .post(`${deploy}/blobs`)
      .type('application/x-tar')
      .send(tarOf(folder, body.data.missing))
      .expect(200)
  })
  afterEach(() => {
    for (const one of leave) one()
    leave = []
  })
  after(() => service.stop())

  const put = (path: string, bytes: Buffer) =>
    service.api().put(`/files?path=${path}`).type('application/octet-stream').send(bytes).expect(201)

  /** Takes all places of an owner, and lets as many wait as may. */
  async function fill(name: GateName, owner: string): Promise<void> {
    const gate = admission.gate(name)
    for (let one = gate.tryEnter(owner); one !== undefined; one = gate.tryEnter(owner)) leave.push(one)
    for (const { refused } = gate.figures; gate.figures.refused === refused; ) {
      const stop = new AbortController()
      leave.unshift(() => stop.abort(new Error('the test is over')))
      gate.enter(owner, { signal: stop.signal }).catch(() => undefined)
    }
  }

  /** Takes all memory that an owner may have, and lets as many wait as may. */
  function hold(name: MemoryClass, owner: string): void {
    const memory = admission.memory.of(name)
    let held = 0
    for (let bytes = memory.half; bytes > 0; bytes = Math.floor(bytes / 2))
      while (memory.take(owner, bytes)) held += bytes
    leave.push(() => memory.give(owner, held))
    for (let waiting = 0; waiting < 32; waiting++)
      void memory.takeSoon(owner, 1).then((isTaken) => isTaken && memory.give(owner, 1))
  }

  /** A test of one row. The request must be refused, and get through once the places are free again. */
  function itHears(
    name: string,
    [status, code, retryAfter]: [number, ErrorCode | undefined, string],
    occupy: () => void | Promise<void>,
    ask: () => supertest.Test,
  ): void {
    tested.add(name)
    it(`${name}: ${[status, code].join(' ').trim()} with Retry-After: ${retryAfter}`, async () => {
      await occupy()
      const refused = await ask()
      assert.equal(refused.status, status, refused.text)
      assert.equal(refused.headers['retry-after'], retryAfter)
      const heard = (refused.body as { error?: { code: string } }).error?.code
      if (heard !== undefined) assert.equal(heard, code)
      if (code !== undefined) assert.equal(ERROR_STATUS[code], status)
      for (const one of leave.splice(0)) one()
      const after = await ask()
      assert.notEqual(after.status, status, after.text)
    })
  }

  const gitRequest = (program: string, body: string) =>
    supertest(service.origin)
      .post(`/git/demo.git/${program}`)
      .auth('git', service.key)
      .set('Git-Protocol', 'version=2')
      .send(body)
  const line = (text: string) => (text.length + 5).toString(16).padStart(4, '0') + `${text}\n`
  const fetchAll = () =>
    `${line('command=fetch')}0001${line(`want ${git(service.gitdir(), 'rev-parse', 'main')}`)}${line('done')}0000`

  itHears(
    'tasks',
    [503, 'queue_full', '1'],
    () => fill('tasks', service.workspaceId),
    () => service.api().get('/search?q=page'),
  )
  itHears(
    'long-tasks',
    [503, 'queue_full', '1'],
    () => fill('long-tasks', service.workspaceId),
    () => service.api().post(`${deploy}/publish`),
  )
  itHears(
    'writes',
    [503, 'queue_full', '1'],
    () => fill('writes', service.site.slug),
    () => service.api().put('/pages?path=/written').type('html').send('<p>written'),
  )
  itHears(
    'files',
    [503, 'service_busy', '1'],
    () => fill('files', service.workspaceId),
    () => service.api().get('/files/content?path=/large.bin'),
  )
  itHears(
    'fetched-files',
    [503, 'service_busy', '5'],
    () => fill('fetched-files', service.workspaceId),
    () => service.api().post('/files').send({ path: '/fetched.png', url: 'https://files.example/a.png' }),
  )
  for (const [name, owner] of [
    ['streams-of-site', () => service.site.id],
    ['streams-of-address', () => HERE],
  ] as const)
    itHears(
      name,
      [503, undefined, '5'],
      () => fill(name, owner()),
      () => service.visit('/long.bin'),
    )
  itHears(
    'git-fetches',
    [503, undefined, '2'],
    () => fill('git-fetches', service.workspaceId),
    () => gitRequest('git-upload-pack', fetchAll()),
  )
  itHears(
    'git-pushes',
    [503, undefined, '2'],
    () => fill('git-pushes', service.workspaceId),
    () => gitRequest('git-receive-pack', '0000'),
  )
  itHears(
    'memory-of-requests',
    [503, 'service_busy', '1'],
    () => hold('requests', service.workspaceId),
    () => service.api().put('/pages?path=/held').type('html').send('<p>held'),
  )
  itHears(
    'memory-of-writes',
    [503, 'queue_full', '1'],
    () => hold('writes', service.workspaceId),
    () => service.api().put('/pages?path=/held').type('html').send('<p>held again'),
  )
  itHears(
    'memory-of-visitors',
    [503, undefined, '5'],
    async () => {
      hold('visitors', HERE)
      await fill('streams-of-address', HERE)
    },
    () => service.visit('/middle.bin'),
  )

  tested.add('turn')
  it('turn: 503 queue_full with Retry-After: 1', async () => {
    const gate = admission.gate('turn')
    let isOver = false
    // One begins in each turn of the event loop, and another one takes its place.
    const fillAgain = () => {
      for (const { refused } = gate.figures; gate.figures.refused === refused; )
        gate.enter(service.workspaceId).catch(() => undefined)
      if (!isOver) setImmediate(fillAgain)
    }
    fillAgain()
    const { status, headers, body } = await service.api().get('/me')
    isOver = true
    assert.deepEqual([status, headers['retry-after'], body.error.code], [503, '1', 'queue_full'])
  })

  tested.add('introspection')
  it('introspection: 503 identity_provider_down with Retry-After: 1', async () => {
    await fill('introspection', '')
    const { refused } = admission.gate('introspection').figures
    const { status, headers, body } = await service.api('another-token').get('/me')
    assert.deepEqual([status, headers['retry-after'], body.error.code], [503, '1', 'identity_provider_down'])
    assert.equal(admission.gate('introspection').figures.refused, refused + 1)
  })

  tested.add('imports')
  it('imports: 409 too_many_imports with Retry-After: 60', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const gate = admission.gate('imports')
    for (let one = gate.tryEnter(service.workspaceId); one !== undefined; one = gate.tryEnter(service.workspaceId))
      leave.push(one)
    const begin = (number: number) =>
      service
        .api(key)
        .post('/sites')
        .send({ slug: `import-${number}`, importUrl: 'https://192.0.2.1/a.git' })
    for (let number = 0; number < 20; number++) await begin(number).expect(202)
    const { status, headers, body } = await begin(20)
    assert.deepEqual([status, headers['retry-after'], body.error.code], [409, '60', 'too_many_imports'])
    const { imports } = service.server.service.services
    for (const one of imports.listUnfinished(service.workspaceId, '', 50)) await imports.cancel(one)
    await begin(21).expect(202)
  })

  tested.add('memory-of-rebuilt')
  it('memory-of-rebuilt: 503 site_busy with Retry-After: 2', async () => {
    const release = await holdRebuilt('a', rebuiltMemory.half)
    const waiting = Array.from({ length: 32 }, () => holdRebuilt('a', 1))
    await assert.rejects(holdRebuilt('a', 1), { code: 'site_busy', retryAfterSeconds: 2 })
    release()
    for (const one of await Promise.all(waiting)) one()
  })

  tested.add('rate-of-failed-sign-ins')
  it('rate-of-failed-sign-ins: 429 too_many_requests with Retry-After', async () => {
    const signIn = () =>
      supertest(service.origin).post('/session').set('Origin', service.origin).send({ token: 'wrong' })
    assert.equal((await signIn()).status, 403)
    for (let failed = 1; failed < 60; failed++) await admission.rate('failed-sign-ins').take(HERE)
    const { status, headers, body } = await signIn()
    assert.deepEqual([status, body.error.code], [429, 'too_many_requests'])
    assert.match(String(headers['retry-after']), /^[1-9]\d?$/)
  })

  tested.add('rate-of-registrations')
  it('rate-of-registrations: 429 with Retry-After, in the words of RFC 7591', async () => {
    for (let registered = 0; registered < 30; registered++) await admission.rate('registrations').take(HERE)
    const { status, headers, body } = await supertest(service.origin).post('/oauth/register').send({})
    assert.deepEqual([status, body.error], [429, 'invalid_client_metadata'])
    assert.match(body.error_description, /Too many programs register/)
    assert.match(String(headers['retry-after']), /^[1-9]\d?$/)
  })

  tested.add('rate-of-authorizations')
  it('rate-of-authorizations: 429 too_many_requests with Retry-After', async () => {
    for (let asked = 0; asked < 120; asked++) await admission.rate('authorizations').take(HERE)
    const { status, headers, body } = await supertest(service.origin).get('/oauth/authorize')
    assert.deepEqual([status, body.error.code], [429, 'too_many_requests'])
    assert.match(String(headers['retry-after']), /^[1-9]\d?$/)
  })

  tested.add('rate-of-key').add('rate-of-workspace')
  it('rate-of-key, rate-of-workspace: 429 too_many_requests, and each answer tells what is left', async () => {
    const limited = await startOwnService({ env: { MAX_REQUESTS_PER_MINUTE: '4' } })
    try {
      const { headers } = await limited.api().get('/me').expect(200)
      assert.equal(headers['ratelimit-policy'], '"key";q=2;w=60, "workspace";q=4;w=60')
      assert.match(String(headers['ratelimit']), /^"key";r=1;t=\d+, "workspace";r=3;t=\d+$/)
      await limited.api().get('/me').expect(200)
      const { key: second } = await limited.mint()
      for (let more = 0; more < 3; more++) {
        const refused = await limited.api().get('/me').expect(429)
        assert.equal(refused.body.error.code, 'too_many_requests')
        assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/)
        assert.match(String(refused.headers['ratelimit']), /^"key";r=0;t=\d+$/)
      }
      for (let more = 0; more < 2; more++) await limited.api(second).get('/me').expect(200)
      const { key: third } = await limited.mint()
      const { headers: of } = await limited.api(third).get('/me').expect(429)
      assert.match(String(of['ratelimit']), /^"key";r=1;t=\d+, "workspace";r=0;t=\d+$/)
      const other = await limited.inNewWorkspace()
      await other.api().get('/me').expect(200)
    } finally {
      await limited.stop()
    }
  })

  it('a client that waits as long as Retry-After says gets through', async () => {
    await fill('tasks', service.workspaceId)
    const heard: number[] = []
    const client = createClient({
      baseUrl: service.origin,
      key: service.key,
      fetch: async (request) => {
        const response = await fetch(request)
        heard.push(response.status)
        for (const one of leave.splice(0)) one()
        return response
      },
    })
    const { data } = await client.GET('/search', { params: { query: { q: 'page' } } })
    assert.deepEqual([heard, data?.success], [[503, 200], true])
  })

  it('each row has a test of what the client hears', () => {
    const rows = limitRows(DEFAULT_SIZES).map(({ name }) => name)
    assert.deepEqual([...tested, ...Object.keys(ELSEWHERE)].toSorted(), rows.toSorted())
  })

  it('the operator sees each row with what is in use now', async () => {
    await fill('files', service.workspaceId)
    const { body } = await supertest(service.origin).get('/healthz?verbose=1').expect(200)
    const rows = body.limits as { name: string; now?: { running?: number; waiting?: number } }[]
    assert.deepEqual(
      rows.map(({ name }) => name),
      limitRows(admission.sizes).map(({ name }) => name),
    )
    const files = rows.find(({ name }) => name === 'files')
    assert.deepEqual([files?.now?.running, files?.now?.waiting], [16, 100])
  })
})
