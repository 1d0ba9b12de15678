import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { OPERATOR_CHAIN } from '../../../src/catalog/audit/chain.js'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { runPalimpsest } from '../../scenarios/serve-process.js'
import { git } from '../../support/git.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startOwnService, type TestService } from '../../support/service.js'

interface Entry {
  number: number
  at: string
  actor: { kind: string; id: string; userId?: string }
  action: string
  target: string
  details: Record<string, unknown>
  personal: { name?: string; address?: string; device?: string } | null
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('the audit log of a workspace', () => {
  let service: TestService
  let owner: SignedIn
  let secrets: string

  before(async () => {
    secrets = mkdtempSync(join(tmpdir(), 'palimpsest-secrets-'))
    const file = join(secrets, 'key')
    writeFileSync(file, randomBytes(32))
    service = await startOwnService({ env: { TRUSTED_PROXIES: '127.0.0.1', SECRETS_KEY_FILE: file } })
    owner = await signInAs(service, 'owner', { name: 'Olga' })
  })
  after(async () => {
    await service.stop()
    rmSync(secrets, { recursive: true, force: true })
  })

  const palimpsest = (...args: string[]) => runPalimpsest({ DATA_DIR: service.dataDir }, ...args)
  const list = async (query = ''): Promise<Entry[]> => {
    const { body } = await owner.send('get', `/audit${query}`).expect(200)
    return (body as { data: Entry[] }).data
  }
  const dataOf = (answer: supertest.Response) => (answer.body as { data: Record<string, string> }).data
  const signInByLink = async (token: string) =>
    await supertest(service.origin)
      .post('/session')
      .set({ 'Sec-Fetch-Site': 'same-origin', 'User-Agent': FIREFOX, 'X-Forwarded-For': '198.51.100.4' })
      .send({ token })
      .expect(201)

  it('has an entry for each change of keys, people, sites and sign-ins, and no secret', async () => {
    const made: string[] = []
    const keep = (secret: string | undefined) => made.push(secret ?? assert.fail('no secret was made'))
    const key = dataOf(await owner.send('post', '/keys').send({ label: 'CI' }).expect(201))
    keep(key['key'])
    keep(dataOf(await owner.send('post', `/keys/${key['id']}/rotate`).send({}).expect(201))['key'])
    await owner.send('delete', `/keys/${key['id']}`).expect(200)
    keep((await palimpsest('keys', 'create', '--label', 'by hand')).stdout.trim())
    keep((await palimpsest('login-link')).stdout.trim().split('#')[1])
    const { services } = service.server.service
    const token = await makeSignInToken(services, service.workspaceId, { label: 'Linus' })
    keep(token)
    const [cookie = ''] = (await signInByLink(token)).get('Set-Cookie') ?? []
    keep(/^session=([^;]+)/.exec(cookie)?.[1])
    keep(owner.cookie.split('=')[1])
    const { id: site } = dataOf(await owner.send('post', '/sites').send({ slug: 'audited' }).expect(201))
    await owner.send('patch', `/sites/${site}`).send({ search: true }).expect(200)
    const mirror = { url: 'https://10.0.0.1/site.git', credentials: { password: 'token-of-the-remote' } }
    keep(mirror.credentials.password)
    await owner.send('put', `/sites/${site}/mirror`).send(mirror).expect(200)
    await owner.send('delete', `/sites/${site}/mirror`).expect(200)
    const commit = git(service.gitdir(), 'rev-parse', 'main')
    const link = dataOf(await owner.send('post', `/sites/${service.site.id}/links`).send({ commit }).expect(201))
    keep(link['url']?.split('/').at(-2))
    await owner.send('delete', `/sites/${service.site.id}/links/${link['id']}`).expect(200)
    await owner.send('delete', `/sites/${site}`).expect(200)
    const page = dataOf(await owner.send('post', '/pages').send({ path: '/w', html: 'one' }).expect(201))
    await owner.send('put', '/pages?path=/w').send({ html: 'two' }).expect(200)
    await owner.send('post', `/pages/${page['id']}/versions/1/withdraw`).expect(200)
    keep(dataOf(await owner.send('post', '/invitations').send({ role: 'viewer' }).expect(201))['url']?.split('#')[1])
    const { userId } = await signInAs(service, 'viewer', { name: 'Vera' })
    await owner.send('patch', `/members/${userId}`).send({ role: 'editor' }).expect(200)
    await owner.send('delete', `/members/${userId}`).expect(200)
    await supertest(service.origin)
      .delete('/session')
      .set({ Cookie: cookie.split(';')[0]!, 'Sec-Fetch-Site': 'same-origin' })
      .expect(200)

    const actions = new Set((await list()).map(({ action }) => action))
    for (const action of [
      'key.create key.rotate key.revoke sign-in-link.create member.add invitation.create member.change member.remove session.begin',
      'session.end site.create site.change site.delete mirror.set mirror.remove link.create link.delete version.withdraw',
    ].flatMap((line) => line.split(' ')))
      assert.ok(actions.has(action), `${action} is not in the log`)
    assert.ok(![...actions].some((action) => action.startsWith('page.')), 'git has the writes of pages')
    const stored = rowsOf(service.dataDir)
    for (const secret of made) assert.ok(!stored.includes(secret), `the log holds the secret ${secret}`)
  })

  it('names who did it, from where and by which device', async () => {
    await owner
      .send('post', '/keys')
      .set({ 'User-Agent': FIREFOX, 'X-Forwarded-For': '198.51.100.9' })
      .send({ label: 'from afar' })
      .expect(201)
    const [entry] = await list('?action=key.create&limit=1')
    assert.deepEqual([entry?.actor.kind, entry?.actor.userId], ['session', owner.userId])
    const { name, address, device } = entry?.personal ?? {}
    assert.deepEqual([name, address, device], ['Olga', '198.51.100.9', 'Firefox on Linux'])
    const [begun] = await list('?action=session.begin&actor=nobody')
    assert.equal(begun, undefined)
  })

  it('lists the newest first, in parts, by action, actor, target and time', async () => {
    const all = await list()
    assert.deepEqual(
      all.map(({ number }) => number),
      all.map((_, i) => all.length - i),
    )
    const first = await owner.send('get', '/audit?limit=2&action=key').expect(200)
    const rest = await list(`?action=key&cursor=${first.body.paging.nextCursor}`)
    assert.equal(rest[0]?.action.startsWith('key.'), true)
    assert.ok(rest[0].number < (first.body as { data: Entry[] }).data[1]!.number)
    assert.deepEqual(await list('?actor=11111111-1111-4111-8111-111111111111'), [])
    assert.ok((await list(`?actor=${owner.userId}`)).every(({ actor }) => actor.userId === owner.userId))
    const madeUp = Buffer.from(JSON.stringify(['audit', 'x'])).toString('base64url')
    assert.deepEqual(await list(`?cursor=${madeUp}`), [])
    assert.equal((await owner.send('get', '/audit?cursor=x').expect(400)).body.error.code, 'invalid_cursor')
    const target = all.find(({ action }) => action === 'key.create')!.target
    assert.ok((await list(`?target=${target.split(' ')[1]}`)).every((entry) => entry.target === target))
    assert.deepEqual(await list('?since=2999-01-01T00:00:00Z'), [])
    assert.deepEqual(await list('?until=2000-01-01T00:00:00Z'), [])
    assert.equal((await list('?since=2000-01-01T00:00:00Z&until=2999-01-01T00:00:00Z')).length, all.length)
  })

  it('has one name for the end of all sessions, and finds entries with the name of before by both', async () => {
    const person = await signInAs(service, 'viewer')
    await person.send('delete', '/me/sessions').expect(200)
    const other = await signInAs(service, 'viewer')
    const gone = { Cookie: other.cookie, 'Sec-Fetch-Site': 'same-origin' }
    await supertest(service.origin).delete('/session?everywhere=true').set(gone).expect(200)
    const { audit } = service.server.service.services.catalog
    const of = { workspaceId: service.workspaceId, target: 'user x', actor: { kind: 'session' as const, id: 'x' } }
    await audit.record({ ...of, action: 'session.end-all' })
    for (const name of ['session.end_all', 'session.end-all'])
      assert.deepEqual(
        (await list(`?action=${name}`)).map(({ action }) => action),
        ['session.end-all', 'session.end_all', 'session.end_all'],
      )
  })

  it('is for admins of the whole workspace', async () => {
    const editor = await signInAs(service, 'editor')
    await editor.send('get', '/audit').expect(403)
    const limited = await signInAs(service, 'admin', { sites: [service.site.id] })
    const refused = await limited.send('get', '/audit').expect(403)
    assert.match(refused.body.error.message, /ask an admin of all sites/)
  })

  it("holds another workspace's entries apart", async () => {
    const other = await service.inNewWorkspace()
    const { key } = await other.mint({ scopes: ['admin'] })
    const { body } = await other.api(key).get('/audit').expect(200)
    const theirs = (body as { data: Entry[] }).data
    assert.ok(theirs.every(({ actor, action }) => actor.kind === 'operator' && action === 'key.create'))
    assert.deepEqual([theirs.length, theirs.at(-1)?.number], [2, 1])
  })

  it('is verified, exported and cleared of a person by the operator while the service runs', async () => {
    const sound = await palimpsest('audit', 'verify')
    assert.equal(sound.code, 0, sound.stderr)
    assert.match(sound.stdout, new RegExp(`workspace ${service.workspaceId}: \\d+ entries are sound`))
    const lines = (await palimpsest('audit', 'export')).stdout.trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as Entry)
    assert.deepEqual(
      entries.map(({ number }) => number),
      entries.map((_, i) => i + 1),
    )
    const erased = await palimpsest('audit', 'erase', '--person', owner.userId)
    assert.match(erased.stdout, /^Erased the facts about people in \d+ entries/)
    const kept = (await list(`?actor=${owner.userId}`)).filter(({ personal }) => personal !== null)
    assert.deepEqual(kept, [], erased.stdout)
    assert.match((await palimpsest('audit', 'export', '--operator')).stdout, /"action":"audit.erase"/)
    assert.equal((await palimpsest('audit', 'verify')).code, 0)
    assert.equal((await palimpsest('audit', 'erase', '--person', 'Olga')).code, 2)
  })

  it("loses old entries of the operator's own chain too, when a command adds one", async () => {
    const old = await startOwnService()
    await old.api().put('/pages?path=/signed').send({ html: 'x' }).expect(201)
    const then = await openCatalog(old.dataDir, { clock: () => new Date(Date.now() - 500 * 86_400_000) })
    const actor = { kind: 'operator' as const, id: 'operator' }
    await then.audit.record({ workspaceId: OPERATOR_CHAIN, actor, action: 'service.restore', target: 'service' })
    await then.close()
    const audit = (...args: string[]) => runPalimpsest({ DATA_DIR: old.dataDir }, 'audit', ...args)
    await audit('erase', '--person', owner.userId)
    const { stdout } = await audit('export', '--operator')
    const { code, stderr } = await audit('verify')
    await old.stop()
    assert.deepEqual(
      stdout.split('\n').map((line) => /"action":"([^"]*)"/.exec(line)?.[1]),
      ['audit.erase', undefined],
    )
    assert.equal(code, 0, stderr)
  })

  it('names the first wrong entry, with exit code 1', async () => {
    const harmed = await startOwnService()
    await signInAs(harmed, 'owner')
    await signInAs(harmed, 'viewer')
    const sqlite = openSqlite(join(harmed.dataDir, 'catalog.db'), { synchronous: 'FULL' })
    sqlite.exec(`UPDATE audit_entries SET entry = replace(entry, 'link', 'passkey') WHERE number = 2`)
    sqlite.close()
    const { code, stderr } = await runPalimpsest({ DATA_DIR: harmed.dataDir }, 'audit', 'verify')
    await harmed.stop()
    assert.equal(code, 1)
    assert.match(stderr, /entry 2: it was changed/)
  })
})

/** Returns every column of every entry. Reading the file of an open database by hand would release its locks in this process. */
function rowsOf(dataDir: string): string {
  const sqlite = openSqlite(join(dataDir, 'catalog.db'), { synchronous: 'FULL' })
  const rows = sqlite.prepare('SELECT * FROM audit_entries').all([])
  sqlite.close()
  return JSON.stringify(rows)
}
