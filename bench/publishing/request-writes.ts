// Measures a page that is written into an open change request, against one that is published, by turns.

import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'

const PAGES = 10
const ROUNDS = 300

let counter = 0

export async function benchRequestWrites(): Promise<Row[]> {
  const service = await runService()
  try {
    for (let i = 0; i < PAGES; i++) await write(service, '')
    const first = await service.put('/first&changeRequest=new', '<p>first')
    const { changeRequest } = JSON.parse(first.body.toString()) as { changeRequest: string }
    const published: number[] = []
    const proposed: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      published.push(await timed(() => write(service, '')))
      proposed.push(await timed(() => write(service, `&changeRequest=${changeRequest}`)))
    }
    const [ours, peer] = [median(proposed), median(published)]
    return [
      {
        what: `a page into an open change request, site of ${PAGES} pages, against publishing it`,
        target: 'at most 1.5 ×',
        ours: `${ours.toFixed(2)} ms`,
        peer: `${peer.toFixed(2)} ms`,
        ratio: ours / peer,
      },
    ]
  } finally {
    await service.stop()
  }
}

/** `query` goes on after the path, such as `&changeRequest=…`. */
async function write(service: RunningService, query: string): Promise<void> {
  counter += 1
  await service.put(`/page-${counter % PAGES}${query}`, String(counter).padEnd(2048, 'x'))
}
