// Serves the folder at the loopback address until Ctrl-C, and watches it.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HEADERS_FILE } from '../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { linesToTellIn } from '../../repository/resolution/site-rules.js'
import { Unusable } from '../connection/unusable.js'
import { cell, printError } from '../terminal/printable.js'
import { answer } from './answer.js'
import { FolderSnapshot } from './folder-snapshot.js'
import { Reload } from './reload.js'
import { watchFolder } from './watch-folder.js'

const HOST = '127.0.0.1'
const USUAL_PORT = 4000

/** Resolves after Ctrl-C. Throws Unusable if the port is taken, and UnusableFolder. */
export async function serveFolder(folder: string, port: number | undefined): Promise<void> {
  const reload = new Reload()
  let snapshot = new FolderSnapshot(folder)
  let faults = wrongLinesIn(snapshot)
  const server = createServer((request, response) => {
    const origin = `http://localhost:${request.socket.localPort}`
    try {
      answer({ snapshot, origin, reload }, request, response)
    } catch (error) {
      printError(`${cell(request.url ?? '', process.stderr)}: ${(error as Error).message}`)
      response.destroy()
    }
  })
  await listen(server, port)
  const watcher = watchFolder(folder, () => {
    const known = faults
    try {
      snapshot = new FolderSnapshot(folder)
      faults = wrongLinesIn(snapshot)
      if (faults !== known) printError(faults || 'The rules have no faults any more.')
    } catch (error) {
      // A build may have removed the folder for a moment. What was there is served until the next change.
      printError((error as Error).message)
    }
    reload.tellOfChange()
  })
  if (faults !== '') printError(faults)
  console.log(`http://localhost:${(server.address() as AddressInfo).port}/`)
  printError(`Serving ${cell(folder, process.stderr)}. Pages reload as files change. Ctrl-C ends it.`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  watcher.close()
  server.close()
  server.closeAllConnections()
}

/** Without a port, takes the usual one, or a free one. */
async function listen(server: Server, port: number | undefined): Promise<void> {
  try {
    await once(server.listen(port ?? USUAL_PORT, HOST), 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (port !== undefined)
      throw new Unusable(`Port ${port} cannot be used (${code ?? message}): choose another with --port.`)
    await once(server.listen(0, HOST), 'listening')
  }
}

/** Returns a line for each, or nothing. */
function wrongLinesIn(snapshot: FolderSnapshot): string {
  const found = [REDIRECTS_FILE, HEADERS_FILE].flatMap((file) => {
    const { wrong, warnings } = linesToTellIn(snapshot, file)
    return [...wrong, ...warnings].map(({ line, message }) => `warning: ${file}:${line}: ${message}`)
  })
  return found.join('\n')
}
