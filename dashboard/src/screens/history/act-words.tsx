// The words of a change behind the name: “changed Spring fair”. A page is named by its title.

import type { Act } from '../../../../src/model/change-words.js'
import type { Commit } from '../../api/client.js'

interface ActWordsProps {
  /** Undefined where somebody wrote the whole message. */
  act: Act | undefined
  page?: Commit['page']
}

export function ActWords({ act, page }: ActWordsProps) {
  if (act === undefined) return <>made a change</>
  const isPage = act.thing.startsWith('/')
  const name = isPage && page?.title != null && page.title !== '' ? page.title : act.thing
  return (
    <>
      {act.before}{' '}
      {isPage ? (
        <em title={act.thing} dir="auto">
          {name}
        </em>
      ) : (
        act.thing
      )}{' '}
      {act.after}
    </>
  )
}
