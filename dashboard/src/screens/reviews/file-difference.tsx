// The difference of one file that a change request changes, by lines of the file, or of the text of a page.

import { api, type ChangeRequest, dataOf } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Await } from '../../parts/states/await.js'
import { ChangedLines } from '../history/small-difference.js'

const MAX_LINES = 200

interface FileDifferenceProps {
  request: ChangeRequest
  path: string
  as?: 'text'
}

export function FileDifference({ request: { id, head }, path, as }: FileDifferenceProps) {
  const difference = useLoaded(`difference ${id} ${head} ${path} ${as}`, async (signal) => {
    const params = { path: { id }, query: { path, ...(as && { as }) } }
    return dataOf(await api.GET('/change-requests/{id}/changes/diff', { params, signal }))
  })
  return (
    <div class="difference short">
      <Await of={difference}>{({ hunks }) => <ChangedLines hunks={hunks} name={path} max={MAX_LINES} />}</Await>
    </div>
  )
}
