// Counts the reviews that wait for the person in all sites. It is asked again on each screen; meanwhile the last count is shown.

import { useEffect, useRef } from 'preact/hooks'
import { api, dataOf, type Me } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'

export function useWaiting(me: Me | undefined, path: string): number {
  const isAsked = me !== undefined && (me.scopes.includes('propose') || me.scopes.includes('write'))
  const { data = 0, reload } = useLoaded<number>(`waiting ${isAsked}`, async (signal) =>
    isAsked ? dataOf(await api.GET('/change-request-count', { signal })).waitingForMe : 0,
  )
  const counted = useRef(path)
  useEffect(() => {
    if (counted.current !== path) reload()
    counted.current = path
  }, [path])
  return data
}
