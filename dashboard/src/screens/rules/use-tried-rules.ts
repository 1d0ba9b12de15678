// Asks the service to check rules while they are written, and for the answer at a path. The service reads them as for visitors;
// this screen does not know their syntax.

import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Site, type TriedRules } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import type { RulesFile } from './published-rules.js'

const DELAY_MS = 300

export interface Tried {
  /** The result for the last text that could be tried. */
  rules?: TriedRules
  /** The reason why the text or the path cannot be tried. */
  problem?: string
}

export function useTriedRules(site: Site, file: RulesFile, text: string, path: string): Tried {
  const [tried, setTried] = useState<Tried>({})
  useEffect(() => {
    const controller = new AbortController()
    const ask = async () => {
      const params = { path: { id: site.id } }
      const body = { path, [file === '_redirects' ? 'redirects' : 'headers']: text }
      return dataOf(await api.POST('/sites/{id}/resolve', { params, body, signal: controller.signal }))
    }
    const timer = setTimeout(() => {
      ask().then(
        (rules) => setTried({ rules }),
        (error: unknown) => {
          if (!controller.signal.aborted) setTried((before) => ({ ...before, problem: asError(error).message }))
        },
      )
    }, DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [site.id, file, text, path])
  return tried
}
