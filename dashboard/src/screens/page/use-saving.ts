// Saves a draft while it is written: soon after the first change, then at most every ten seconds, and when the person leaves.

import { useEffect, useRef, useState } from 'preact/hooks'
import { bothIn } from '../../editor/both-texts.js'
import type { Draft } from './use-draft.js'

/** The time from a change to its save, if the last save is long enough ago. */
const PAUSE_MS = 1000
const BETWEEN_MS = 10_000

/** Says how far the saving is. */
export function useSaving(draft: Draft, maySave: boolean): string {
  const { isChanged, markedLine, conflict, request, isRefused } = draft
  const isReady = maySave && isChanged && markedLine === undefined && conflict === undefined
  const latest = useRef({ draft, isReady })
  latest.current = { draft, isReady }
  const lastSave = useRef(-Infinity)
  const [saves, setSaves] = useState(0)
  useEffect(() => {
    if (!isReady) return undefined
    const pause = Math.max(PAUSE_MS, lastSave.current + BETWEEN_MS - performance.now())
    const timer = setTimeout(() => {
      lastSave.current = performance.now()
      // Text that was typed meanwhile, or was refused, is saved next time.
      void latest.current.draft.save({ isQuiet: true }).finally(() => setSaves((before) => before + 1))
    }, pause)
    return () => clearTimeout(timer)
  }, [isReady, saves])
  useEffect(() => {
    const leave = () => {
      if (latest.current.isReady) void latest.current.draft.save({ isQuiet: true, isLeaving: true })
    }
    const hide = () => document.visibilityState === 'hidden' && leave()
    document.addEventListener('visibilitychange', hide)
    addEventListener('pagehide', leave)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  if (markedLine !== undefined) return bothIn(markedLine)
  if (!maySave) return READS_ONLY
  if (isChanged) return isRefused ? 'Not saved; kept in this browser' : 'Saving…'
  return request === undefined ? 'As published' : 'Saved'
}

const READS_ONLY = 'Your role here does not publish: what you change stays in this browser.'
