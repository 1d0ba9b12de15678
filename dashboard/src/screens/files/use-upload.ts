// Uploads files or a folder from a screen: its progress, its end in words, and what was found wrong.

import { useRef, useState } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import type { Done } from '../../parts/states/progress.js'
import { type LocalFile, upload } from './upload.js'
import { type Findings, NO_FINDINGS } from './upload-findings.js'

/** Allows one upload at a time: while one runs, another one is refused. */
export function useUpload(site: Site, onUploaded: () => void) {
  const [progress, setProgress] = useState<Done>()
  const [findings, setFindings] = useState(NO_FINDINGS)
  const running = useRef<AbortController>(undefined)
  const send = async (find: () => Promise<LocalFile[]>) => {
    if (running.current !== undefined) return notifyFailure('An upload is running: wait, or cancel it.')
    const { signal } = (running.current = new AbortController())
    setProgress({ done: 0, all: 1 })
    try {
      const files = await find()
      if (files.length === 0) throw new Error('There is no file to upload: hidden names are left out.')
      const { created, replaced, unchanged, warnings, skipped } = await upload(site, files, {
        onProgress: setProgress,
        signal,
      })
      notify(`${formatCount(created, 'file')} created, ${replaced} replaced, ${unchanged} unchanged.`)
      setFindings({ leftOut: skipped ?? [], warnings } satisfies Findings)
      onUploaded()
    } catch (error) {
      if (signal.aborted) notify('The upload was cancelled: nothing was published.')
      else notifyFailure(error)
    } finally {
      running.current = undefined
      setProgress(undefined)
    }
  }
  return {
    progress,
    findings,
    forgetFindings: () => setFindings(NO_FINDINGS),
    send,
    cancel: () => running.current?.abort(),
  }
}
