// A thread that opens one new database after the other, each at the moment at which its test does.

import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { PATIENCE_MS } from '../../support/within.js'

export interface Openings {
  files: readonly string[]
  /** The number of threads that have come to each file. */
  arrived: Int32Array
}

/** Opens each file once the other thread has come to it too, and answers what went wrong. */
export function openTogether({ files, arrived }: Openings): string[] {
  const end = performance.now() + PATIENCE_MS
  return files.flatMap((file, number) => {
    Atomics.add(arrived, number, 1)
    while (Atomics.load(arrived, number) < 2) assert.ok(performance.now() < end, 'the other thread does not come')
    try {
      openSqlite(file, { synchronous: 'NORMAL' }).close()
      return []
    } catch (error) {
      return [String(error)]
    }
  })
}

parentPort?.postMessage(openTogether(workerData as Openings))
