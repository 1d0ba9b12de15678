// Run by growing-pack.test.js: receives the pack on its standard input as that of a push, and prints how many bytes it has.

import { dropQuarantine, receivePack } from '../../../src/repository/pushing/quarantine.js'

const [, , gitdir = ''] = process.argv
const maxBytes = 64 * 1024 * 1024
const options = { maxBytes, maxFileBytes: maxBytes, checkSpace: () => undefined, signal: new AbortController().signal }
const received = await receivePack(gitdir, process.stdin, options)
await dropQuarantine(received)
process.stdout.write(`${received.pack?.bytes}\n`)
