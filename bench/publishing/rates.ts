// Measures publishes per second over HTTP by 32 and by 128 clients of one site, which replace pages or add them to one folder, by turns
// with git's plumbing.

import type { Row } from '../ground/row.js'
import { median, type RunningService, runService } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { plumbingIn } from './plumbing.js'
import { publishesASecond } from './publishes.js'

const [FEW, MANY] = [32, 128]
/** The service's code is compiled during the first thousands of requests. */
const WARM_UP = 4000
const WRITES = 2000
const ROUNDS = 3
const COMMITS = 30
/** Pages that are replaced. */
const PAGES = 40

interface Rates {
  few: number
  many: number
  plumbing: number
}

export async function benchPublishRates(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const service = await runService()
    const plumbing = plumbingIn(folder)
    try {
      await publishes(service, FEW, { writes: WARM_UP, prefix: 'kept', pages: PAGES })
      const replaced = await inTurns(async () => ({
        few: await publishes(service, FEW, { writes: WRITES, prefix: 'kept', pages: PAGES }),
        many: await publishes(service, MANY, { writes: WRITES, prefix: 'kept', pages: PAGES }),
        plumbing: await plumbing(COMMITS, (number) => `page-${number % PAGES}.html`),
      }))
      let loads = 0
      const added = (writers: number) =>
        publishes(service, writers, { writes: WRITES, prefix: `new-${loads++}`, pages: WRITES })
      const grown = await inTurns(async () => ({
        few: await added(FEW),
        many: await added(MANY),
        plumbing: await plumbing(COMMITS, (number) => `new-${number}.html`),
      }))
      return [
        ...rowsOf(`${PAGES} pages replaced`, replaced),
        ...rowsOf(`pages added to a folder, ${2 * ROUNDS * WRITES} in all`, grown),
      ]
    } finally {
      await service.stop()
    }
  })
}

/** Returns the publishes per second. */
async function publishes(
  { port, key }: RunningService,
  writers: number,
  load: { writes: number; prefix: string; pages: number },
): Promise<number> {
  return await publishesASecond({ key, targets: [String(port)], writers, ...load })
}

async function inTurns(round: () => Promise<Rates>): Promise<Rates> {
  const rounds: Rates[] = []
  for (let i = 0; i < ROUNDS; i++) rounds.push(await round())
  return {
    few: median(rounds.map(({ few }) => few)),
    many: median(rounds.map(({ many }) => many)),
    plumbing: median(rounds.map(({ plumbing }) => plumbing)),
  }
}

function rowsOf(what: string, { few, many, plumbing }: Rates): Row[] {
  return [
    rowOf(`${FEW} writers over HTTP, ${what}, against git plumbing`, 40, few, plumbing),
    rowOf(`${MANY} writers over HTTP, ${what}, against ${FEW}`, 1, many, few),
  ]
}

function rowOf(what: string, least: number, ours: number, peer: number): Row {
  const target = `at least ${least} ×`
  return { what, target, ours: `${ours.toFixed(0)} /s`, peer: `${peer.toFixed(0)} /s`, ratio: ours / peer }
}
