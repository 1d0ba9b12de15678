// The package palimpsest-cli as a user has it: packed by npm, and installed in an empty folder without the network.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectStdio, fail, succeed } from '../../protocols/mcp/clients.js'
import { run } from '../../scenarios/serve-process.js'
import { npmPack, type Packed } from '../../support/npm/pack.js'
import { startTestService, type TestService } from '../../support/service.js'

/** Limit for the program itself, which every command loads. The spaces and comments of its sources are left out. */
const MAX_BYTES = 270_000
/** 745,000 are for proxies, 214,000 for `dev`: half of that are media types, the rest the rules of sites. 63,000 are for sign-in. */
const MAX_PACKAGE_BYTES = 1_300_000
const OFFLINE = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']

describe('the package of the command line', () => {
  let service: TestService
  let folder: string
  let packed: Packed

  before(async () => {
    service = await startTestService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-cli-'))
    const found = npmPack(folder, './dist/cli-package').get('palimpsest-cli')
    assert.ok(found)
    packed = found
    mkdirSync(join(folder, 'empty'))
    writeFileSync(join(folder, 'empty/package.json'), '{}')
    execFileSync('npm', ['install', ...OFFLINE, packed.tarball], { cwd: join(folder, 'empty'), stdio: 'ignore' })
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    HOME: folder,
    PALIMPSEST_URL: service.origin,
    PALIMPSEST_TOKEN: service.key,
  })
  const palimpsest = (...args: string[]) =>
    run(join(folder, 'empty/node_modules/.bin/palimpsest'), args, { cwd: folder, env: environment() })

  it('is one program without dependencies, and small', () => {
    assert.deepEqual(packed.names.toSorted(), [
      'LICENSE',
      'README.md',
      'authorization-server.js',
      'build.js',
      'package.json',
      'palimpsest.js',
      'rolldown-runtime.js',
      'serve-folder.js',
      'sign-in.js',
      'undici.js',
    ])
    const modules = join(folder, 'empty/node_modules')
    assert.deepEqual(readdirSync(modules).toSorted(), ['.bin', '.package-lock.json', 'palimpsest-cli'])
    const sizeOf = (name: string) => statSync(join(modules, 'palimpsest-cli', name)).size
    assert.ok(sizeOf('palimpsest.js') < MAX_BYTES, `${sizeOf('palimpsest.js')} bytes`)
    const bytes = packed.names.reduce((sum, name) => sum + sizeOf(name), 0)
    assert.ok(bytes < MAX_PACKAGE_BYTES, `${bytes} bytes`)
    const program = readFileSync(join(modules, 'palimpsest-cli/palimpsest.js'), 'utf8')
    // Modules that it loads at once have a name of their own each; the rest waits in functions.
    const loaded = [...program.matchAll(/(?:let|const) \w+=require\("([^"]+)"\)/g)].map(([, name = '']) => name)
    assert.ok(loaded.length > 5)
    assert.deepEqual(
      loaded.filter((name) => !name.startsWith('node:')),
      ['./rolldown-runtime.js'],
    )
  })

  it('publishes a folder to a service, lists it, pulls it and undoes it', async () => {
    mkdirSync(join(folder, 'dist'))
    writeFileSync(join(folder, 'dist/packed.html'), '<h1>Packed</h1>')
    const published = await palimpsest('publish', 'dist')
    assert.equal(published.code, 0, published.stderr)
    assert.match(published.stderr, /^Publishing dist to \S+ \(http:/)
    await service.visit('/packed').expect(200, '<h1>Packed</h1>')
    assert.match((await palimpsest('pages')).stdout, /^\/packed\t/m)
    assert.equal((await palimpsest('pull', '/packed', '--output', 'pulled')).code, 0)
    assert.equal(readFileSync(join(folder, 'pulled/packed.html'), 'utf8'), '<h1>Packed</h1>')
    assert.match((await palimpsest('sites', 'list')).stdout, /^[0-9a-f-]{36}\t/)
    assert.match((await palimpsest('status')).stdout, /^key\t/m)
    assert.equal((await palimpsest('undo')).code, 0)
    await service.visit('/packed').expect(404)
  })

  it('runs by npx, and names itself so in its advice', async () => {
    const npx = (...args: string[]) =>
      run('npx', ['--yes', '--offline', `--package=${packed.tarball}`, 'palimpsest', ...args], {
        cwd: folder,
        env: { ...environment(), PALIMPSEST_TOKEN: '' },
      })
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    assert.equal((await npx('--version')).stdout, `${version}\n`)
    const { code, stderr } = await npx('pages')
    assert.equal(code, 2)
    assert.match(stderr, /run "npx palimpsest-cli login"/)
  })

  for (const era of ['legacy', 'modern'] as const) {
    it(`offers the service's tools to an agent, in the ${era} protocol`, async () => {
      const { origin, key } = service
      const env = { PATH: process.env['PATH'] ?? '', PALIMPSEST_URL: origin, PALIMPSEST_TOKEN: key }
      const client = await connectStdio(env, era, 'dist/cli-package/palimpsest.js')
      try {
        const { tools } = await client.listTools()
        assert.ok(tools.length > 10)
        await succeed(client, 'create_page', { path: `/by-${era}`, html: '<h1>Über den Agenten</h1>\n' })
        await service.visit(`/by-${era}`).expect(200, '<h1>Über den Agenten</h1>\n')
        const { code } = await fail(client, 'get_page', { id: '0195e0f4-7c1a-7000-8000-000000000000' })
        assert.equal(code, 'page_not_found')
      } finally {
        await client.close()
      }
    })
  }

  it('answers an agent whose service is away, and a line that is no JSON', () => {
    const lines = ['no JSON', '{"jsonrpc":"2.0","id":7,"method":"tools/list"}', '{"jsonrpc":"2.0","method":"lost"}']
    const answers = (env: Record<string, string>) => {
      const { stdout } = spawnSync(process.execPath, ['dist/cli-package/palimpsest.js', 'mcp'], {
        encoding: 'utf8',
        env: { ...environment(), ...env },
        input: `${lines.join('\n')}\n`,
      })
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: unknown; error: { message: string } })
    }
    const away = answers({ PALIMPSEST_URL: 'http://127.0.0.1:9' })
    assert.deepEqual(
      away.map(({ id }) => id),
      [null, 7],
    )
    assert.match(away[1]?.error.message ?? '', /Nothing answers at http:\/\/127\.0\.0\.1:9/)
  })

  it('shows its commands in groups, with examples', async () => {
    const { stdout, code } = await palimpsest('--help')
    assert.equal(code, 0)
    const after = ['Examples', 'Here', 'Learn more']
    const headings = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)
    assert.deepEqual(headings, ['Options', 'Publish', 'Look', 'Set up', 'Sites and agents', ...after])
  })

  it('says what is wrong in one line, and has no command of the server', async () => {
    const missing = await palimpsest('publish', 'nowhere')
    assert.deepEqual([missing.code, missing.stderr], [2, 'palimpsest: There is no nowhere.\n'])
    for (const name of ['serve', 'clone', 'keys']) {
      const { code, stderr } = await palimpsest(name)
      assert.equal(code, 2)
      assert.match(stderr, new RegExp(`unknown command '${name}'`))
    }
  })
})
