import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { exceptFromJudgement } from '../../support/second-judge.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Finished, runPalimpsest } from '../serve-process.js'
import { commitFiles } from './operator.js'

/** Variables that a git hook, a `git rebase --exec` or a shell may leave in the environment of the commands it runs. */
const environmentOf = (foreign: string): Record<string, string> => ({
  GIT_DIR: foreign,
  GIT_WORK_TREE: foreign,
  GIT_COMMON_DIR: foreign,
  GIT_OBJECT_DIRECTORY: join(foreign, 'objects'),
  GIT_INDEX_FILE: join(foreign, 'index'),
  GIT_QUARANTINE_PATH: join(foreign, 'objects'),
  GIT_NAMESPACE: 'elsewhere',
  GIT_DEFAULT_HASH: 'sha256',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.repositoryformatversion',
  GIT_CONFIG_VALUE_0: '99',
})

describe('commands started with the GIT_ variables of another repository', () => {
  let running: TestService
  let service: TestService
  let folder: string
  let foreign: string
  let untouched: Map<string, string>

  before(async () => {
    running = await startOwnService()
  })
  after(() => running.stop())
  beforeEach(async () => {
    service = await running.inNewWorkspace()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-foreign-'))
    foreign = join(folder, 'foreign.git')
    makeRepository(join(folder, 'work'), foreign, 'a foreign page')
    for (const path of ['/one', '/two', '/three']) await service.api().post('/pages').send({ path, html: path })
    untouched = filesOf(foreign)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const palimpsest = (...args: string[]): Promise<Finished> =>
    runPalimpsest({ DATA_DIR: service.dataDir, ...environmentOf(foreign) }, ...args)

  it('maintain the repository of the site', async () => {
    const packs = () => readdirSync(join(service.gitdir(), 'objects', 'pack')).filter((file) => file.endsWith('.pack'))
    assert.ok(packs().length > 1)
    const { code, stderr } = await palimpsest('maintain', service.site.slug)
    assert.equal(code, 0, stderr)
    assert.equal(packs().length, 1)
    assert.deepEqual(filesOf(foreign), untouched)
  })

  it('import the repository given as their argument', async () => {
    const source = join(folder, 'source.git')
    makeRepository(join(folder, 'other'), source, 'an imported page')
    const { code, stderr } = await palimpsest('sites', 'import', 'imported', source)
    assert.equal(code, 0, stderr)
    assert.equal((await service.visit('/about', 'imported')).text, 'an imported page')
    assertSound(service.gitdir('imported'))
    assert.deepEqual(filesOf(foreign), untouched)
  })

  it('back up and restore the repositories of the sites', async () => {
    const backup = join(folder, 'backup')
    const made = await palimpsest('backup', backup)
    assert.equal(made.code, 0, made.stderr)
    const head = git(service.gitdir(), 'rev-parse', 'main')
    assert.equal(git(join(backup, 'sites', `${service.site.slug}.git`), 'rev-parse', 'main'), head)
    const restored = join(folder, 'restored')
    const { code, stderr } = await runPalimpsest({ DATA_DIR: restored, ...environmentOf(foreign) }, 'restore', backup)
    assert.equal(code, 0, stderr)
    assert.equal(git(join(restored, `${service.site.slug}.git`), 'rev-parse', 'main'), head)
    assert.deepEqual(filesOf(foreign), untouched)
  })

  it('check the repository of the site', async () => {
    exceptFromJudgement(service.gitdir())
    const [pack = ''] = readdirSync(join(service.gitdir(), 'objects', 'pack')).filter((file) => file.endsWith('.pack'))
    const path = join(service.gitdir(), 'objects', 'pack', pack)
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 0xff
    rmSync(path)
    writeFileSync(path, bytes)
    const { code, stdout } = await palimpsest('fsck', service.site.slug)
    assert.equal(code, 1)
    assert.match(stdout, /git fsck/)
    assert.deepEqual(filesOf(foreign), untouched)
  })
})

function makeRepository(work: string, gitdir: string, html: string): void {
  git(tmpdir(), 'init', '--quiet', '--initial-branch=main', work)
  commitFiles(work, 'Add a page', { 'about.html': html })
  git(work, 'clone', '--quiet', '--bare', work, gitdir)
}

/** Every file's bytes, by its path. */
function filesOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  return new Map(paths.map((path) => [path, readFileSync(path, 'latin1')]))
}
