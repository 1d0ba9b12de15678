// Makes dist/dashboard-ui, and dist/parts-ui with the page of all parts. Each file of the former also gets a gzip and a brotli form, so that serving needs no compression.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../dashboard', import.meta.url))
await build({ root, logLevel: 'warn' })
await build({ root, logLevel: 'warn', mode: 'parts' })

const folder = fileURLToPath(new URL('../../dist/dashboard-ui/', import.meta.url))
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:html|js|css|svg)$/.test(name)) continue
  const file = join(folder, name)
  const bytes = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(bytes))
}
