// Run by ./publishes.ts: publishes pages of 2 KB on several connections, each time after the answer to the last one, and prints the number
// of answers per second. It does as little as possible, because it shares the machine with the service.

import { connect } from 'node:net'

const PAGE_BYTES = 2048
const AGAIN_MS = 100

/** `targets` gives each connection its port and, after a slash, the site's id unless it is the default one; they repeat. */
const [targets = '', key, connections, writes, prefix, pages, seconds] = process.argv.slice(2)
const started = performance.now()
let sent = 0
let answered = 0
let open = Number(connections)

for (let i = 0; i < Number(connections); i++) {
  const [port, site] = (targets.split(',')[i % targets.split(',').length] ?? '').split('/')
  const socket = connect(Number(port), '127.0.0.1')
  socket.setNoDelay(true)
  let arrived = ''
  const publishNext = () => {
    if (sent < Number(writes) && performance.now() - started < Number(seconds) * 1000) {
      socket.write(requestOf(sent++, site))
      return
    }
    socket.destroy()
    open -= 1
    if (open === 0) console.log((answered * 1000) / (performance.now() - started))
  }
  socket.on('connect', publishNext)
  socket.on('data', (chunk) => {
    arrived += chunk.toString('latin1')
    const end = arrived.indexOf('\r\n\r\n') + 4
    const [, length] = /content-length: (\d+)/i.exec(arrived) ?? []
    if (end < 4 || arrived.length < end + Number(length ?? 0)) return
    // A node that lacks another node's writes refuses the site for a moment.
    const isRefused = arrived.startsWith('HTTP/1.1 503 ')
    if (!isRefused && !/^HTTP\/1\.1 20[01] /.test(arrived)) throw new Error(arrived)
    arrived = ''
    if (isRefused) {
      sent -= 1
      setTimeout(publishNext, AGAIN_MS)
      return
    }
    answered += 1
    publishNext()
  })
}

/** Returns a request that replaces one of the pages with new bytes. */
function requestOf(number: number, site: string | undefined): string {
  const html = `<!doctype html><title>${prefix} ${number}</title>`.padEnd(PAGE_BYTES, 'x')
  const head = [
    `PUT /api/v1/pages?path=/${prefix}-${number % Number(pages)} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: text/html',
    ...(site === undefined ? [] : [`X-Service-Site-Id: ${site}`]),
    `Content-Length: ${PAGE_BYTES}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${html}`
}
