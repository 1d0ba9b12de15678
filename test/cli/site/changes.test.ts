import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Outcome, runCommand } from '../../scenarios/commands.js'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('change requests on the command line', () => {
  let service: TestService
  let folder: string
  let proposer: string
  let writer: string

  before(async () => {
    service = await startTestService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-changes-'))
    proposer = (await service.mint({ label: 'Paul', scopes: ['propose'] })).key
    writer = (await service.mint({ label: 'Wanda', scopes: ['write'] })).key
    mkdirSync(join(folder, 'site/docs'), { recursive: true })
    writeFileSync(join(folder, 'site/index.html'), '<h1>Start</h1>')
    writeFileSync(join(folder, 'site/docs/a.txt'), 'a')
    writeFileSync(join(folder, 'about.html'), '<h1>About</h1>')
    writeFileSync(join(folder, 'style.css'), 'a{}')
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const palimpsest = (key: string, ...args: string[]): Promise<Outcome> =>
    runCommand({
      args,
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, BASE_URL: service.origin, SERVICE_API_TOKEN: key },
    })
  const main = () => git(service.gitdir(), 'rev-parse', 'main')
  const numberIn = ({ stderr }: Outcome): string => {
    const [, number] = /^Nothing is live yet: change request (\d+) \(draft\) has it\.$/m.exec(stderr) ?? []
    assert.ok(number, stderr)
    return number
  }

  it('are made by "publish --draft" of a page, a file and a folder, which go to one by its number', async () => {
    const before = main()
    const page = await palimpsest(proposer, 'publish', 'about.html', '--draft')
    assert.deepEqual([page.code, page.stdout], [0, 'created\t/about\n'], page.stderr)
    const number = numberIn(page)
    assert.match(page.stderr, new RegExp(`^Look: palimpsest changes show ${number}$`, 'm'))
    assert.match(page.stderr, new RegExp(`^Publish: palimpsest changes publish ${number}$`, 'm'))
    const file = await palimpsest(proposer, 'publish', 'style.css', '--draft', number)
    assert.deepEqual([file.code, file.stdout, numberIn(file)], [0, 'created\t/style.css\n', number], file.stderr)
    const all = await palimpsest(proposer, 'publish', 'site', '--path', '/manual', '--draft', `#${number}`)
    assert.deepEqual([all.code, numberIn(all)], [0, number], all.stderr)
    assert.match(all.stdout, /^created\tmanual\/docs\/a\.txt$/m)
    assert.doesNotMatch(all.stdout, /http/)
    assert.equal(main(), before)
    await service.visit('/about').expect(404)
    const listed = await palimpsest(proposer, 'changes')
    assert.match(listed.stdout, new RegExp(`^${number}\tdraft\tPaul\t\\S+\tChanges by Paul$`, 'm'))
  })

  it('are published at a time by the clock here or with an offset, are listed by time, and keep open with --cancel', async () => {
    const number = numberIn(await palimpsest(proposer, 'publish', 'about.html', '--draft', '--path', '/timed'))
    const year = new Date().getUTCFullYear() + 1
    const set = await palimpsest(writer, 'changes', 'publish', number, '--at', `${year}-01-01 09:00+01:00`)
    assert.deepEqual([set.code, set.stdout], [0, `scheduled\t${number}\t${year}-01-01T08:00:00Z\n`], set.stderr)
    const listed = await palimpsest(writer, 'changes', '--scheduled')
    assert.match(listed.stdout, new RegExp(`^${number}\tdraft\tPaul\t${year}-01-01T08:00:00Z\t`, 'm'))
    const shown = await palimpsest(writer, 'changes', 'show', number)
    assert.match(shown.stdout, new RegExp(`^published at\t${year}-01-01T08:00:00Z, as Wanda set it$`, 'm'))
    const both = await palimpsest(writer, 'changes', 'publish', number, '--at', `${year}-01-01 09:00`, '--cancel')
    assert.deepEqual([both.code === 0, both.stdout], [false, ''])
    const past = await palimpsest(writer, 'changes', 'publish', number, '--at', '2020-01-01 09:00')
    assert.notEqual(past.code, 0)
    assert.match(past.stderr, /in the past/)
    const ended = await palimpsest(writer, 'changes', 'publish', number, '--cancel')
    assert.deepEqual([ended.code, ended.stdout], [0, `draft\t${number}\n`], ended.stderr)
    assert.equal((await palimpsest(writer, 'changes', '--scheduled', '--json')).stdout, '[]\n')
  })

  it('show what they change, and go live with "changes publish", once tried', async () => {
    const number = numberIn(await palimpsest(proposer, 'publish', 'about.html', '--path', '/soon', '--draft'))
    const shown = await palimpsest(proposer, 'changes', 'show', number)
    assert.match(shown.stdout, /^added\tsoon\.html$/m, shown.stderr)
    const trial = await palimpsest(writer, 'changes', 'publish', number, '--dry-run')
    assert.deepEqual([trial.code, /^Dry run: nothing was published\.$/m.test(trial.stderr)], [0, true], trial.stderr)
    await service.visit('/soon').expect(404)
    const published = await palimpsest(writer, 'changes', 'publish', number)
    assert.deepEqual([published.code, published.stdout], [0, `published\t${number}\t${main()}\n`], published.stderr)
    await service.visit('/soon').expect(200, '<h1>About</h1>')
    const refused = await palimpsest(proposer, 'changes', 'publish', number)
    assert.equal(refused.code, 1)
  })

  it('hold a whole folder, with the message as title, and tell programs id, number and state', async () => {
    const made = await palimpsest(
      proposer,
      'publish',
      'site',
      '--path',
      '/titled',
      '--draft',
      '--message',
      'New manual',
      '--json',
    )
    assert.equal(made.code, 0, made.stderr)
    const { changeRequest, created } = JSON.parse(made.stdout) as {
      created: number
      changeRequest: { id: string; number: number; state: string }
    }
    assert.deepEqual([created, changeRequest.state], [2, 'draft'])
    const shown = await palimpsest(proposer, 'changes', 'show', changeRequest.id, '--json')
    const { number, title } = JSON.parse(shown.stdout) as { number: number; title: string }
    assert.deepEqual([number, title], [changeRequest.number, 'New manual'])
    const facts = await palimpsest(proposer, 'changes', 'show', String(number))
    assert.match(facts.stdout, /^title\tNew manual\nstate\tdraft\nauthor\tPaul\nwritten by\tPaul$/m)
    const none = await palimpsest(proposer, 'publish', 'site', '--path', '/titled', '--draft', String(number))
    assert.match(none.stderr, /^created 0, replaced 0, unchanged 2, removed 0$/m)
  })

  it('are not left behind by a folder that does not differ, or is refused', async () => {
    await palimpsest(writer, 'publish', 'site', '--path', '/live')
    const count = async () => (await palimpsest(writer, 'changes')).stdout.split('\n').length
    const before = await count()
    const same = await palimpsest(writer, 'publish', 'site', '--path', '/live', '--draft')
    assert.equal(same.code, 0, same.stderr)
    assert.match(same.stderr, /^There is nothing to propose/m)
    mkdirSync(join(folder, 'odd'))
    writeFileSync(join(folder, 'odd/a\\b.txt'), 'x')
    assert.equal((await palimpsest(writer, 'publish', 'odd', '--strict', '--draft')).code, 1)
    const trial = await palimpsest(writer, 'publish', 'site', '--path', '/trial', '--draft', '--dry-run')
    assert.match(trial.stderr, /Dry run: nothing was published/)
    assert.equal(await count(), before)
  })

  it('are made by "rm", "mv", "rollback" and "undo" with --draft, which go to one by its number', async () => {
    writeFileSync(join(folder, 'site/docs/b.html'), '<h1>B</h1>')
    await palimpsest(writer, 'publish', 'site', '--path', '/acts')
    await palimpsest(writer, 'publish', 'about.html', '--path', '/acts/docs/b')
    const before = main()
    const count = async () => (JSON.parse((await palimpsest(writer, 'changes', '--json')).stdout) as unknown[]).length
    const known = await count()

    const removed = await palimpsest(proposer, 'rm', '/acts/', '/acts/docs/a.txt', '--draft')
    assert.deepEqual(
      [removed.code, removed.stdout],
      [0, 'removed\t/acts/\t\nremoved\t/acts/docs/a.txt\t\n'],
      removed.stderr,
    )
    const number = numberIn(removed)
    assert.equal(await count(), known + 1)
    const again = await palimpsest(proposer, 'rm', '/acts/docs/a.txt', '--draft', number)
    assert.deepEqual([again.code, /neither a page nor a file at \/acts/.test(again.stderr)], [2, true], again.stderr)

    const page = await palimpsest(proposer, 'mv', '/acts/docs/b', '/acts/b', '--draft', number)
    assert.deepEqual([page.code, page.stdout], [0, '/acts/docs/b becomes /acts/b.\n'], page.stderr)
    assert.equal(numberIn(page), number)
    const rolledBack = await palimpsest(proposer, 'rollback', '/acts/b', '1', '--draft', number)
    assert.match(rolledBack.stdout, /^\/acts\/b is version 1 again, now as version \d+\n$/, rolledBack.stderr)
    assert.equal(numberIn(rolledBack), number)
    const all = await palimpsest(proposer, 'mv', '/acts/', '/deeds/', '--draft', number)
    assert.deepEqual([all.code, all.stdout, numberIn(all)], [0, '/acts/ becomes /deeds/.\n', number], all.stderr)
    const shown = await palimpsest(proposer, 'changes', 'show', number)
    assert.match(shown.stdout, /^added\tdeeds\/b\.html$/m, shown.stderr)

    const undone = await palimpsest(proposer, 'undo', before, '--draft', '--json')
    assert.equal(undone.code, 0, undone.stderr)
    const { changeRequest } = JSON.parse(undone.stdout) as { changeRequest: { number: number; state: string } }
    assert.deepEqual([changeRequest.number, changeRequest.state], [Number(number) + 1, 'draft'])
    const earlier = git(service.gitdir(), 'rev-parse', `${before}^`)
    const back = await palimpsest(proposer, 'undo', '/acts/docs/b', '--back-to', earlier, '--draft', '--json')
    assert.equal(back.code, 0, back.stderr)
    assert.deepEqual((JSON.parse(back.stdout) as { changed: boolean; undone: [] }).undone, [])
    assert.match(
      (await palimpsest(proposer, 'undo', '/acts/docs/b', '--back-to', earlier, '--dry-run')).stderr,
      /1 file/,
    )
    assert.equal(main(), before)
    await service.visit('/acts/docs/b').expect(200, '<h1>About</h1>')
  })

  it('are not left behind by an act that is tried or refused', async () => {
    await palimpsest(writer, 'publish', 'about.html', '--path', '/tried')
    const listed = async () => (await palimpsest(writer, 'changes', '--json')).stdout
    const before = await listed()
    const trial = await palimpsest(writer, 'rm', '/tried', '--draft', '--dry-run')
    assert.deepEqual([trial.code, /nothing was removed/.test(trial.stderr)], [0, true], trial.stderr)
    assert.equal((await palimpsest(writer, 'rollback', '/tried', '9', '--draft')).code, 1)
    assert.equal((await palimpsest(writer, 'mv', '/nowhere', '/else', '--draft')).code, 1)
    const misplaced = await palimpsest(writer, 'rm', '--draft', '/tried', '/other')
    assert.deepEqual([misplaced.code, /put --draft last/.test(misplaced.stderr)], [2, true], misplaced.stderr)
    assert.equal(await listed(), before)
  })

  it('are brought up to date with "changes update", which names conflicts and takes a side for each path', async () => {
    const publish = async (html: string, ...args: string[]) => {
      writeFileSync(join(folder, 'stale.html'), html)
      return await palimpsest(writer, 'publish', 'stale.html', ...args)
    }
    await publish('<h1>One</h1>')
    const number = numberIn(await publish('<h1>Proposed</h1>', '--draft'))
    assert.match((await palimpsest(proposer, 'changes', 'update', number)).stderr, /no change request/)
    const same = await palimpsest(writer, 'changes', 'update', number)
    assert.match(same.stdout, new RegExp(`^unchanged\t${number}\t[0-9a-f]{40}\n$`), same.stderr)
    await publish('<h1>Live</h1>')
    const refused = await palimpsest(writer, 'changes', 'publish', number)
    assert.deepEqual([refused.code, /changes update <number>/.test(refused.stderr)], [1, true], refused.stderr)
    const conflicts = await palimpsest(writer, 'changes', 'update', number)
    assert.deepEqual([conflicts.code, conflicts.stdout], [1, ''])
    assert.match(conflicts.stderr, /^conflict: stale\.html: changed$/m)
    const updated = await palimpsest(writer, 'changes', 'update', number, '--ours', 'stale.html')
    assert.match(updated.stdout, new RegExp(`^updated\t${number}\t[0-9a-f]{40}\n$`), updated.stderr)
    assert.equal((await palimpsest(writer, 'changes', 'publish', number)).code, 0)
    await service.visit('/stale').expect(200, '<h1>Proposed</h1>')
  })

  it('are opened again with "changes reopen", and shown to people without a key with "changes link"', async () => {
    const number = numberIn(await palimpsest(proposer, 'publish', 'about.html', '--path', '/again', '--draft'))
    assert.equal((await palimpsest(proposer, 'changes', 'close', number)).code, 0)
    const opened = await palimpsest(proposer, 'changes', 'reopen', number)
    assert.deepEqual([opened.code, opened.stdout], [0, `draft\t${number}\tChanges by Paul\n`], opened.stderr)
    assert.equal((await palimpsest(proposer, 'publish', 'about.html', '--path', '/again', '--draft', number)).code, 0)
    const link = await palimpsest(proposer, 'changes', 'link', number)
    assert.equal(link.code, 0, link.stderr)
    assert.match(link.stdout, /^http:\/\/link-[^/]+\/\S+\n$/)
  })

  it('end with "changes close", refuse writes then, and are not found by a wrong number', async () => {
    const number = numberIn(await palimpsest(proposer, 'publish', 'about.html', '--path', '/ended', '--draft'))
    const closed = await palimpsest(proposer, 'changes', 'close', number)
    assert.deepEqual([closed.code, closed.stdout], [0, `closed\t${number}\tChanges by Paul\n`], closed.stderr)
    const refused = await palimpsest(proposer, 'publish', 'about.html', '--draft', number)
    assert.deepEqual(
      [refused.code, /palimpsest changes"|changes" lists/.test(refused.stderr)],
      [1, true],
      refused.stderr,
    )
    assert.match(
      (await palimpsest(proposer, 'changes', '--state', 'closed')).stdout,
      new RegExp(`^${number}\tclosed\t`, 'm'),
    )
    const unknown = await palimpsest(proposer, 'changes', 'show', '999')
    assert.deepEqual([unknown.code, /no change request 999/.test(unknown.stderr)], [2, true])
    const wrong = await palimpsest(proposer, 'publish', 'about.html', '--draft', 'seven')
    assert.deepEqual([wrong.code, /such as 7/.test(wrong.stderr)], [2, true])
  })
})
