import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { git } from '../support/git.js'
import { type MirroredSite, MirrorGround } from '../git/remotes/mirror-ground.js'
import { MAIN, type Outcome, runCommand } from '../scenarios/commands.js'

const TOKEN = 'open sesame'

describe('the commands for repositories elsewhere', () => {
  const ground = new MirrorGround()
  const { root, remote } = ground
  let source: MirroredSite

  before(async () => {
    await ground.start()
    source = await ground.make()
    await ground.publish(source.site, '/moved-in')
    await ground.set(source.site, source.url)
    await ground.until(source.site, 'ok')
    git(source.bare, 'update-ref', '--no-deref', 'HEAD', 'main')
  })
  after(async () => await ground.stop())
  beforeEach(() => (remote.options = { root }))

  const environment = () => ({
    PATH: process.env['PATH'],
    HOME: root,
    BASE_URL: ground.service.origin,
    SERVICE_API_TOKEN: ground.admin,
  })
  const palimpsest = (args: string[], input = ''): Promise<Outcome> => runCommand({ args, env: environment(), input })

  it('import a site with its history from a URL, named after its repository, and report each step', async () => {
    remote.options = { root, bearer: TOKEN }
    const name = 'The_Blog'
    git(root, 'clone', '--quiet', '--bare', source.bare, join(root, `${name}.git`))
    const url = `${remote.origin}/${name}.git`
    const refused = await palimpsest(['sites', 'import', url])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /The import failed: .* asks for a user name and a password/)
    const { code, stdout, stderr } = await palimpsest(['sites', 'import', url, '--bearer'], `${TOKEN}\n`)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^http:\/\/the-blog\.localhost\S*\n$/)
    assert.match(
      stderr,
      /^(?:Waiting for its turn\n)?(?:Receiving\n)?(?:Checking the repository\n)?warning: the site has no start page, so \/ is 404: add index\.html\n$/,
    )
    assert.equal((await ground.service.visit('/moved-in', 'the-blog').expect(200)).text, '<h1>/moved-in')
  })

  it('cancel an import with Ctrl-C, and free its slug', async () => {
    remote.options = { root, intercept: () => true }
    const args = ['sites', 'import', source.url, '--slug', 'given-up']
    const child = spawn(process.execPath, [MAIN, ...args], { env: environment() })
    const said = text(child.stderr)
    child.stderr.once('data', () => child.kill('SIGINT'))
    const [code] = (await once(child, 'close')) as [number | null]
    assert.equal(code, 130)
    assert.match(await said, /cancelled\. Nothing of it is left, and the slug given-up is free/)
    await ground.api().post('/sites').send({ slug: 'given-up' }).expect(201)
  })

  it('set a mirror, show its state, and remove it; a password is never in the command line', async () => {
    const { site, url, bare } = await ground.make()
    const mirror = (...args: string[]) => ['mirror', ...args, '--site', site.slug]
    remote.options = { root, login: `ada:${TOKEN}` }
    const wrong = await palimpsest(mirror('set', url, '--username', 'ada'), 'not the one\n')
    assert.equal(wrong.code, 1)
    assert.match(wrong.stdout, /^state\tfailed$[^]*^error\t.*does not accept the user name and password/m)
    const none = await palimpsest(mirror('set', url, '--username', 'ada'))
    assert.deepEqual([none.code, none.stderr.includes('No password was given')], [2, true])
    const set = await palimpsest(mirror('set', url, '--username', 'ada'), TOKEN)
    assert.deepEqual([set.code, /^state\tok$/m.test(set.stdout)], [0, true], set.stderr)
    ground.assertFollows(site, bare)
    assert.match((await palimpsest(mirror())).stdout, /^url\thttp.*\nstate\tok\nlag\t0$/m)
    assert.equal((await palimpsest(mirror('retry'))).code, 0)
    assert.equal((await palimpsest(mirror('remove'))).code, 0)
    assert.match((await palimpsest(mirror('get'))).stderr, /The site has no mirror/)
  })
})
