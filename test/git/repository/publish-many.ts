// Run by ref.test.js and publish-order.test.js: publishes commits as the store does, and starts over when main moved.

import { RefLocked, RefMoved } from '../../../src/git/objects/errors.js'
import { moveRef, readRef } from '../../../src/git/repository/ref.js'
import { LOG, MAIN, storeCommit } from '../scratch-repository.js'

const [, , gitdir = '', name = '', count = '1'] = process.argv
process.stdout.write('publishing\n')
for (let done = 0; done < Number(count); ) {
  const head = readRef(gitdir, MAIN)
  if (head === undefined) throw new Error('main is gone')
  const { oid, pack } = storeCommit(gitdir, { [`${name}.html`]: `${done}` }, [head], `${name} ${done}`)
  try {
    moveRef(gitdir, MAIN, head, oid, LOG)
    pack.release()
    done++
  } catch (error) {
    pack.discard()
    if (!(error instanceof RefMoved) && !(error instanceof RefLocked)) throw error
  }
}
