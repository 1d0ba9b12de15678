import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import sharp from 'sharp'
import { runHere } from '../../programs/shell.js'
import { put } from '../../scenarios/client.js'
import { flipByteOf } from '../../support/damage.js'
import { git, withClone } from '../../support/git.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { useBeside } from './beside.js'
import { answerTo, createSite, versionLabel, visitAnew } from './visits.js'

const SENTENCE = 'This process serves the files of sites alone: send this request to the role "api".\n'
const MISDIRECTED = { status: 421, body: SENTENCE }
/** More than are walked without an index. */
const MANY_COMMITS = 210

describe('the role sites', () => {
  const beside = useBeside()
  const port = () => beside.sites[0].port
  const visit = (label: string, path: string) => visitAnew(port(), label, path)

  function askBaseHost(path: string, method = 'GET') {
    return answerTo(request({ host: '127.0.0.1', port: port(), path, method, headers: { Host: 'localhost' } }).end())
  }

  it('says that the API, the dashboard, the tools and git are elsewhere, and that it is well', async () => {
    for (const path of ['/', '/api/v1/me', '/mcp', '/git/demo.git/info/refs', '/readyz', '/healthzz'])
      assert.deepEqual(await askBaseHost(path), MISDIRECTED, path)
    assert.deepEqual(await askBaseHost('/healthz', 'POST'), MISDIRECTED)
    assert.deepEqual(await askBaseHost('/healthz'), { status: 200, body: '{"status":"ok"}' })
  })

  it('says that previews are elsewhere', async () => {
    assert.deepEqual(await visit(`preview--${'0'.repeat(32)}`, '/healthz'), MISDIRECTED)
  })

  it('says that search, sitemap and llms.txt are elsewhere, and serves files of these names', async () => {
    const { client } = beside
    const siteId = await createSite(client, 'made')
    await put(client, '/', 'home', siteId)
    assert.equal((await visit('made', '/_search?q=x')).status, 404)
    assert.equal((await visit('made', '/llms.txt')).status, 404)
    await client.patch(`/sites/${siteId}`).send({ search: true, markdown: true }).expect(200)
    for (const path of ['/_search?q=x', '/sitemap.xml', '/sitemap-1.xml', '/llms.txt'])
      assert.deepEqual(await visit('made', path), MISDIRECTED, path)
    assert.match((await visit('made', '/robots.txt')).body, /^User-agent: \*/)
    for (const path of ['/sitemap.xml', '/llms.txt']) {
      await client
        .put(`/files?path=${path}`)
        .set('x-service-site-id', siteId)
        .type('text/plain')
        .send('own')
        .expect(201)
      assert.deepEqual(await visit('made', path), { status: 200, body: 'own' })
    }
  })

  it('says that smaller pictures are elsewhere, and serves the pictures', async () => {
    const { client } = beside
    const siteId = await createSite(client, 'pictures')
    const picture = await sharp({ create: { width: 700, height: 300, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
    const sending = client.put('/files?path=/photo.png').set('x-service-site-id', siteId).type('image/png')
    const { body } = await sending.send(picture).expect(201)
    assert.deepEqual((body as { data: { widths: number[] } }).data.widths, [320, 640, 960, 1280, 1920])
    assert.deepEqual(await visit('pictures', '/photo.png?w=320'), MISDIRECTED)
    assert.equal((await visit('pictures', '/photo.png?v=3')).status, 200)
  })

  it('says that a long history is elsewhere, and serves the rest of the site', async () => {
    const { client, gitdir } = beside
    const siteId = await createSite(client, 'long')
    await put(client, '/', 'old', siteId)
    await client.patch(`/sites/${siteId}`).send({ publicHistory: true }).expect(200)
    const past = versionLabel(gitdir('long'), 'long')
    assert.equal((await visit(past, '/')).body, 'old')
    const commits = Array.from({ length: MANY_COMMITS }, (_, i) => {
      const data = `data 1\n${i % 10}\n`
      return `commit refs/heads/new\nauthor A <a@b> ${1e9 + i} +0000\ncommitter A <a@b> ${1e9 + i} +0000\ndata 1\nx\n${i === 0 ? 'from refs/heads/main^0\n' : ''}M 100644 inline index.html\n${data}`
    })
    await withClone(gitdir('long'), (folder) => {
      runHere({ command: ['git', '-C', folder, 'fast-import', '--quiet'], input: commits.join('') })
      git(folder, 'push', '--quiet', 'origin', 'new:main')
    })
    assert.deepEqual(await visit(past, '/'), MISDIRECTED)
    assert.deepEqual(await visit('long', '/'), { status: 200, body: String((MANY_COMMITS - 1) % 10) })
  })

  it('shows a push of an operator as soon as it ends', async () => {
    const { client, gitdir } = beside
    await put(client, '/pushed', 'before')
    assert.equal((await visit('demo', '/pushed')).body, 'before')
    await withClone(gitdir('demo'), (folder) => {
      git(folder, 'mv', 'pushed.html', 'moved.html')
      git(folder, 'commit', '--quiet', '-m', 'Move')
      git(folder, 'push', '--quiet')
    })
    assert.equal((await visit('demo', '/pushed')).status, 404)
    assert.equal((await visit('demo', '/moved')).body, 'before')
  })

  it('serves no damaged byte, and reports the damage in its own log', async () => {
    const { client, gitdir, sites } = beside
    const text = randomBytes(20_000).toString('hex')
    await put(client, '/unseen', text)
    const oid = git(gitdir('demo'), 'rev-parse', 'main:unseen.html')
    const mend = flipByteOf(gitdir('demo'), oid)
    for (let i = 0; i < 3; i++) assert.equal((await visit('demo', '/unseen')).status, 503)
    const told = () =>
      sites[0]
        .logged()
        .split('\n')
        .filter((line) => line.includes('"trouble: ') && line.includes(oid))
    await within(PATIENCE_MS, () => assert.equal(told().length, 1))
    mend()
    assert.equal((await visit('demo', '/unseen')).body, text)
  })
})
