import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newObject } from '../../../src/git/objects/object.js'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import { withSite } from '../../git/scratch-repository.js'

const SCRIPT = fileURLToPath(new URL('./receive-one.js', import.meta.url))
const MIB = 1024 * 1024

describe('the pack of a push', () => {
  it('is synced piece by piece as it arrives, so that no client waits for all of it', () => {
    withSite({ 'index.html': 'hello' }, (gitdir) => {
      const { pack: bytes } = encodePack(Array.from({ length: 20 }, () => newObject('blob', randomBytes(MIB))))
      const log = join(gitdir, '..', 'strace.log')
      const args = ['-f', '-qq', '-y', '-e', 'trace=fdatasync', '-e', 'signal=none', '-o', log, process.execPath]
      const received = spawnSync('strace', [...args, SCRIPT, gitdir], { input: bytes })
      assert.equal(received.stdout.toString().trim(), `${bytes.length}`, received.stderr.toString())
      const pieces = readFileSync(log, 'utf8').match(/fdatasync\(\d+<[^>]*\/pack\/tmp_pack_\w+>/g) ?? []
      // Pieces have 4 MiB; the last one may find that git has given the file its name.
      assert.ok(pieces.length >= 4, `${pieces.length} pieces of 20 MiB`)
    })
  })
})
