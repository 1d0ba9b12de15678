// Run by ref.test.js: a writer that stops in the middle, its pack in place and the lock in its hand.

import { lockRef } from '../../../src/git/repository/ref.js'
import { MAIN, storeCommit } from '../scratch-repository.js'

const [, , gitdir = '', parent = ''] = process.argv
storeCommit(gitdir, { 'index.html': 'unpublished' }, [parent])
lockRef(gitdir, MAIN)
process.stdout.write('holding\n')
setInterval(() => undefined, 1000)
