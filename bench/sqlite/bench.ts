// Measures the SQLite driver beside the one before it, libsql 0.5.29, by turns: processor time of one call, and descriptors after close.

import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../src/catalog/sqlite/sqlite.js'
import { installPackages } from '../../test/support/npm/install.js'
import type { Row } from '../ground/row.js'
import { median } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { type Open, openLibsqlOf, openOurs, type Subject } from './subjects.js'

const ROWS = 20_000
const TURNS = 7
const OPENED_FILES = 300

interface Work {
  what: string
  calls: number
  synchronous?: 'FULL' | 'NORMAL'
  do: (subject: Subject, call: number) => void
}

const WORKS: readonly Work[] = [
  { what: 'a row by its key', calls: 5_000, do: (subject, call) => subject.point(call % ROWS) },
  { what: '`PRAGMA data_version`', calls: 5_000, do: (subject) => subject.dataVersion() },
  { what: '1,000 rows', calls: 30, do: (subject) => subject.many() },
  { what: 'preparing a statement that reads', calls: 2_000, do: (subject) => subject.prepare() },
  { what: 'a write, NORMAL', calls: 1_000, do: (subject, call) => subject.write(call % ROWS) },
  { what: 'a write, FULL', calls: 300, synchronous: 'FULL', do: (subject, call) => subject.write(call % ROWS) },
]

export async function benchSqlite(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const peer = join(folder, 'peer')
    mkdirSync(peer)
    await installPackages(peer, { libsql: '0.5.29' })
    const openPeer = openLibsqlOf(peer)
    const file = join(folder, 'rows.db')
    fill(file)
    return [
      ...WORKS.map((work) => compare(work, file, openPeer)),
      compareOpenings(file, openPeer),
      compareDescriptors(folder, openPeer),
    ]
  })
}

function fill(file: string): void {
  const sqlite = openSqlite(file, { synchronous: 'NORMAL' })
  sqlite.exec('CREATE TABLE rows (id TEXT PRIMARY KEY, name TEXT, number INTEGER, text TEXT) STRICT, WITHOUT ROWID')
  const insert = sqlite.prepare('INSERT INTO rows VALUES (?, ?, ?, ?)')
  sqlite.transact(() => {
    for (let row = 0; row < ROWS; row++) insert.run([`id ${row}`, `name ${row}`, row, 'x'.repeat(60)])
  })
  sqlite.close()
}

function compare({ what, calls, synchronous = 'NORMAL', do: call }: Work, file: string, openPeer: Open): Row {
  const subjects = [openOurs, openPeer].map((open) => open(file, synchronous))
  const measure = (subject: Subject) => processorTime(calls, (number) => call(subject, number))
  const times = inTurns(subjects.map((subject) => () => measure(subject)))
  for (const subject of subjects) subject.close()
  return rowOf(what, times)
}

/** A connection with its four statements. */
function compareOpenings(file: string, openPeer: Open): Row {
  const measure = (open: Open) => () => processorTime(300, () => open(file, 'NORMAL').close())
  return rowOf('opening with four statements, closing', inTurns([measure(openOurs), measure(openPeer)]))
}

function compareDescriptors(folder: string, openPeer: Open): Row {
  const [ours = 0, theirs = 0] = [openOurs, openPeer].map((open, subject) => {
    const before = descriptors()
    for (let number = 0; number < OPENED_FILES; number++) {
      const file = join(folder, `${subject}-${number}.db`)
      copyFileSync(join(folder, 'rows.db'), file)
      open(file, 'NORMAL').close()
    }
    return descriptors() - before
  })
  const what = `descriptors that stay open after ${OPENED_FILES} files were opened, asked and closed`
  return { what, ours: String(ours), peer: String(theirs), ratio: NaN }
}

function descriptors(): number {
  return readdirSync('/proc/self/fd').length
}

/** Returns microseconds of processor time for one call. */
function processorTime(calls: number, call: (number: number) => void): number {
  const before = process.cpuUsage()
  for (let number = 0; number < calls; number++) call(number)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

/** Returns the median of each, measured by turns. The first turn is not counted. */
function inTurns(measures: readonly (() => number)[]): number[] {
  const turns = Array.from({ length: TURNS + 1 }, () => measures.map((measure) => measure()))
  return measures.map((_, at) => median(turns.slice(1).map((turn) => turn[at] ?? NaN)))
}

function rowOf(what: string, [ours = NaN, peer = NaN]: readonly number[]): Row {
  return { what, target: '≤ 1', ours: `${ours.toFixed(1)} µs`, peer: `${peer.toFixed(1)} µs`, ratio: ours / peer }
}
