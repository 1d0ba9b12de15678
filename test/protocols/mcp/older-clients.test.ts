import assert from 'node:assert/strict'
import { ASKS_FOR_DATA, programData } from './clients.js'
import { startTestService, type TestService } from '../../support/service.js'
import { connectOlder, OLDER_VERSIONS, type OlderClient } from './older-clients.js'

const NOBODYS = '11111111-1111-4111-8111-111111111111'

describe('clients of SDK version 1', () => {
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  for (const version of OLDER_VERSIONS) {
    for (const transport of ['http', 'stdio'] as const) {
      it(`${version} reads every kind of refusal over ${transport}, after it has listed the tools`, async () => {
        const client = await connectOlder(version, { origin: service.origin, key: service.key, transport })
        try {
          await readRefusals(client, `/${version}-${transport}`)
        } finally {
          await client.close()
        }
      })
    }
  }
})

async function readRefusals(client: OlderClient, path: string): Promise<void> {
  const html = '<p>one</p>\n'
  const made = await client.callTool({ name: 'create_page', arguments: { path, html }, _meta: ASKS_FOR_DATA })
  assert.notEqual(made.isError, true)
  const { id, etag } = programData<{ id: string; etag: string }>(made)
  const edits = [{ find: 'one', replace: 'two' }]
  await client.callTool({ name: 'edit_page', arguments: { id, edits, ifMatch: etag } })

  const refused: [name: string, given: Record<string, unknown>, expected: RegExp][] = [
    ['get_page', { id: NOBODYS }, /^page_not_found: .*\nNext: .*list_pages/],
    ['create_page', { path, html: '<p>' }, new RegExp(`^page_exists: .*\nNext: .*edit_page.*\n.*${id}`)],
    ['edit_page', { id, edits, ifMatch: etag }, /^precondition_failed: .*\nNext: [^]*-<p>one<\/p>\n\+<p>two<\/p>/],
    ['update_page', { id, html: 7 }, /^invalid_arguments: .*html must be a string/],
    ['list_records', { id: NOBODYS }, /^collection_not_found: /],
    ['delete_record', { id: NOBODYS, recordId: NOBODYS }, /^(collection|record)_not_found: /],
  ]
  for (const [name, given, expected] of refused) {
    const result = await client.callTool({ name, arguments: given })
    assert.equal(result.isError, true, name)
    assert.match(result.content.map(({ text }) => text).join('\n'), expected)
  }
}
