// Measures a tool call over HTTP against the plain API call that it makes, in both eras of the protocol. Also measures the share of the
// protocol's own libraries, by a tool that does nothing on a bare server.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const WARM_UP = 300
const ROUNDS = 500

type Mode = 'legacy' | { pin: string }

const ERAS: Record<string, Mode> = { '2026-07-28': { pin: '2026-07-28' }, 'the handshake before': 'legacy' }

export async function benchTools(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const service = await runService({ dataDir: folder })
    const floor = spawn(process.execPath, [fileURLToPath(new URL('../ground/tool-floor.js', import.meta.url))])
    try {
      const [port] = (await once(floor.stdout, 'data')) as [Buffer]
      const floorUrl = `http://127.0.0.1:${String(port).trim()}`
      const rows: Row[] = []
      for (const [name, mode] of Object.entries(ERAS)) rows.push(...(await compare(service, floorUrl, name, mode)))
      return rows
    } finally {
      floor.kill()
      await service.stop()
    }
  })
}

async function compare(service: RunningService, floorUrl: string, name: string, mode: Mode): Promise<Row[]> {
  const baseUrl = `http://127.0.0.1:${service.port}`
  const headers = { Authorization: `Bearer ${service.key}` }
  const [ours, floor] = await Promise.all([connect(baseUrl, mode, headers), connect(floorUrl, mode, {})])
  const calls = {
    plain: async () => void (await (await fetch(`${baseUrl}/api/v1/pages?limit=50`, { headers })).json()),
    tool: () => ours.callTool({ name: 'list_pages', arguments: {} }),
    nothing: () => floor.callTool({ name: 'nothing', arguments: {} }),
  }
  const times: Record<keyof typeof calls, number[]> = { plain: [], tool: [], nothing: [] }
  for (let i = 0; i < WARM_UP + ROUNDS; i++) {
    for (const each of ['plain', 'tool', 'nothing'] as const) {
      const time = await timed(calls[each])
      if (i >= WARM_UP) times[each].push(time)
    }
  }
  await Promise.all([ours.close(), floor.close()])
  const [plain, tool, nothing] = [median(times.plain), median(times.tool), median(times.nothing)]
  const shown = { ours: `${tool.toFixed(2)} ms` }
  return [
    {
      what: `list_pages by the protocol of ${name}, against GET /pages; ${(tool - plain).toFixed(2)} ms more`,
      target: 'at most 2 ms more',
      ...shown,
      peer: `${plain.toFixed(2)} ms`,
      ratio: tool / plain,
    },
    {
      what: `the same, against a tool that does nothing on the protocol's libraries alone`,
      ...shown,
      peer: `${nothing.toFixed(2)} ms`,
      ratio: tool / nothing,
    },
  ]
}

async function connect(url: string, mode: Mode, headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}
