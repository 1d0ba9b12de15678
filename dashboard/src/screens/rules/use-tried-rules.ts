// What the service says of rules that are being written, and of the answer at a path under them. It reads the rules as for
// visitors; this screen knows nothing of their language.

import { useEffect, useState } from 'preact/hooks'
import { api, dataOf, type Site, type TriedRules } from '../../api/client.js'
import { asError } from '../../api/use-loaded.js'
import type { RulesFile } from './published-rules.js'

const DELAY_MS = 300

export interface Tried {
  /** Of the last text that could be tried. */
  rules?: TriedRules
  /** Why the text or the path cannot be tried. */
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
