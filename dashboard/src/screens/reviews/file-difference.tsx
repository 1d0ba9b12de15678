// The difference of one file that a change request changes, by lines.

import { api, dataOf } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Await } from '../../parts/states/await.js'
import { ChangedLines } from '../history/small-difference.js'

export function FileDifference({ request, path }: { request: string; path: string }) {
  const difference = useLoaded(`difference ${request} ${path}`, async (signal) => {
    const params = { path: { id: request }, query: { path } }
    return dataOf(await api.GET('/change-requests/{id}/changes/diff', { params, signal }))
  })
  return (
    <div class="difference short">
      <Await of={difference}>{({ hunks }) => <ChangedLines hunks={hunks} name={path} max={200} />}</Await>
    </div>
  )
}
