import { execFileSync } from 'node:child_process'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockRef } from '../../../src/git/repository/ref.js'
import { MAIN, withSite } from '../scratch-repository.js'

const REPOSITORY = fileURLToPath(new URL('../../../src/git/repository/repository.js', import.meta.url))

describe('another PID namespace', () => {
  it('leaves the lock of a running process alone when it opens the repository', () => {
    withSite({ 'index.html': 'hello' }, (gitdir) => {
      const lock = lockRef(gitdir, MAIN)
      const script = `import { openRepository } from '${REPOSITORY}'; openRepository('${gitdir}', {})`
      const namespace = ['--pid', '--fork', '--mount-proc', process.execPath]
      execFileSync('unshare', [...namespace, '--input-type=module', '--eval', script])
      assert.ok(existsSync(join(gitdir, `${MAIN}.lock`)))
      lock.release()
    })
  })
})
