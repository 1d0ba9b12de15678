import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { useTemporaryFolders } from '../temporary-folder.js'
import { openTogether } from './opening-thread.js'

/** Enough that some fifteen are opened at the very same moment. */
const FILES = 100

describe('a new database', () => {
  const makeFolder = useTemporaryFolders()

  it('is opened by two threads at once', async () => {
    const folder = makeFolder()
    const files = Array.from({ length: FILES }, (_, number) => join(folder, `${number}.db`))
    const openings = { files, arrived: new Int32Array(new SharedArrayBuffer(4 * FILES)) }
    const thread = new Worker(new URL('./opening-thread.js', import.meta.url), { workerData: openings })
    const answered = once(thread, 'message')
    const refused = [openTogether(openings), ...((await answered) as string[][])]
    assert.deepEqual(refused, [[], []])
  })
})
