import assert from 'node:assert/strict'
import { startOwnService, type TestService } from '../../support/service.js'
import { type ApiClient, visit } from '../client.js'
import { runPalimpsest } from '../serve-process.js'

const PAGE_BYTES = 50_000
/** Room for six pages, compressed or not, and the other contents of their drafts. */
const PREVIEW_BYTES = 6.9 * (PAGE_BYTES + 20_000)

describe('previews of two workspaces', () => {
  let service: TestService
  let other: ApiClient

  before(async () => {
    service = await startOwnService({
      // Previews have two shares of sixteen.
      change: (config) => ({ ...config, sizes: { ...config.sizes, memoryBytes: 8 * PREVIEW_BYTES } }),
    })
    const env = { DATA_DIR: service.dataDir }
    const made = await runPalimpsest(env, 'workspaces', 'create', 'Next door', '--site', 'next')
    const { key } = await service.mint({ workspaceId: /[0-9a-f-]{36}/.exec(made.stdout)?.[0] ?? '' })
    other = service.api(key)
  })
  after(() => service.stop())

  const preview = async (api: ApiClient, path: string): Promise<string> => {
    const html = `<title>${path}</title>`.padEnd(PAGE_BYTES, 'x')
    const { body } = await api.put('/pages').query({ path, dryRun: true }).type('html').send(html).expect(200)
    return (body as { data: { dryRun: { previewUrl: string } } }).data.dryRun.previewUrl
  }
  const statusOf = async (url: string) => (await visit(service.origin, url)).status

  it('have a common limit, and a workspace with many loses its own, never one of another', async () => {
    const neighbours = await preview(other, '/theirs')
    const many: string[] = []
    for (let number = 0; number < 12; number++) many.push(await preview(service.api(), `/page-${number}`))
    assert.equal(await statusOf(neighbours), 200)
    const kept = await Promise.all(many.map(statusOf))
    assert.equal(kept.at(-1), 200)
    assert.equal(kept[0], 410)
    assert.ok(kept.filter((status) => status === 200).length >= 4, String(kept))
  })
})
