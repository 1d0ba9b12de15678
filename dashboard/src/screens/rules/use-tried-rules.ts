// Asks the service to check rules while they are written, and for the answer at a path. The service reads them as for visitors;
// this screen does not know their syntax. The published rules are tried while they are read.

import { useEffect, useState } from 'preact/hooks'
import { askAhead, takeAhead } from '../../api/ahead.js'
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

/** Tries the published rules for the start page. */
export function tryPublished(site: Site): void {
  askAhead(keyOf(site), () => ask(site, { path: '/' }, null))
}

interface Asked {
  file: RulesFile
  text: string
  path: string
  /** Whether nobody has changed the text. */
  isPublished: boolean
}

export function useTriedRules(site: Site, { file, text, path, isPublished }: Asked): Tried {
  const [tried, setTried] = useState<Tried>({})
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const body = { path, [file === '_redirects' ? 'redirects' : 'headers']: text }
    // The answer is for what was published when the screen was opened.
    const ahead = takeAhead<TriedRules | undefined>(keyOf(site), () => Promise.resolve(undefined))
    const answer = async () =>
      (isPublished && path === '/' ? await ahead : undefined) ?? (await ask(site, body, signal))
    const timer = setTimeout(() => {
      answer().then(
        (rules) => setTried({ rules }),
        (error: unknown) => {
          if (!signal.aborted) setTried((before) => ({ ...before, problem: asError(error).message }))
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

interface Body {
  path: string
  redirects?: string
  headers?: string
}

async function ask(site: Site, body: Body, signal: AbortSignal | null): Promise<TriedRules> {
  return dataOf(await api.POST('/sites/{id}/resolve', { params: { path: { id: site.id } }, body, signal }))
}

function keyOf({ id }: Site): string {
  return `tried ${id}`
}
