// What a tool call over HTTP costs above the plain API call that it makes, in both eras of the protocol.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Row } from './row.js'
import { median, type RunningService, runService, timed } from './running-service.js'
import { withFolder } from './temporary-folder.js'

const WARM_UP = 300
const ROUNDS = 500

const ERAS = { '2026-07-28': { pin: '2026-07-28' }, 'the handshake before': 'legacy' } as const

export async function benchTools(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const service = await runService({ dataDir: folder })
    try {
      const rows: Row[] = []
      for (const [name, mode] of Object.entries(ERAS)) rows.push(await compare(service, name, mode))
      return rows
    } finally {
      await service.stop()
    }
  })
}

async function compare(service: RunningService, name: string, mode: 'legacy' | { pin: string }): Promise<Row> {
  const { port, key } = service
  const baseUrl = `http://127.0.0.1:${port}`
  const headers = { Authorization: `Bearer ${key}` }
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }))
  const plain = async () => {
    const answer = await fetch(`${baseUrl}/api/v1/pages?limit=50`, { headers })
    await answer.json()
  }
  const tool = () => client.callTool({ name: 'list_pages', arguments: {} })
  const times = { plain: [] as number[], tool: [] as number[] }
  for (let i = 0; i < WARM_UP + ROUNDS; i++) {
    const [ofPlain, ofTool] = [await timed(plain), await timed(tool)]
    if (i >= WARM_UP) times.plain.push(ofPlain)
    if (i >= WARM_UP) times.tool.push(ofTool)
  }
  await client.close()
  const [ours, peer] = [median(times.tool), median(times.plain)]
  return {
    what: `list_pages by the protocol of ${name}, against GET /pages; ${(ours - peer).toFixed(2)} ms more`,
    target: 'at most 2 ms more',
    ours: `${ours.toFixed(2)} ms`,
    peer: `${peer.toFixed(2)} ms`,
    ratio: ours / peer,
  }
}
