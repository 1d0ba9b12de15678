// The program that a push's hook runs with a rules file on standard input. It names the lines that the site will skip, on the terminal
// of the person who pushes. `pushed-rules.js <_redirects|_headers> <bytes of the file>`.

import { buffer } from 'node:stream/consumers'
import { HEADERS_FILE, parseHeaders } from '../../model/rules/headers-file.js'
import { parseRedirects } from '../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES, refuseSize, type WrongLine } from '../../model/rules/rules-file.js'

/** More lines would not fit on a terminal; the API's checks name all of them. */
const MAX_LINES = 10

const [name = '', size = '0'] = process.argv.slice(2)
const wrong = await findWrongLines()
for (const { line, message } of wrong.slice(0, MAX_LINES)) warn(`line ${line} of ${name} is skipped. ${message}`)
if (wrong.length > MAX_LINES) warn(`${wrong.length - MAX_LINES} more lines of ${name} are skipped.`)

async function findWrongLines(): Promise<WrongLine[]> {
  if (Number(size) > MAX_RULES_FILE_BYTES) return [refuseSize(Number(size))]
  const bytes = await buffer(process.stdin)
  return (name === HEADERS_FILE ? parseHeaders(bytes) : parseRedirects(bytes)).wrong
}

function warn(text: string): void {
  process.stderr.write(`palimpsest: warning: ${text}\n`)
}
