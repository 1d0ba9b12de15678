// The draft of a rules file. This browser keeps it until it is published or discarded. It is never published over a text that its
// author has not seen.

import { useState } from 'preact/hooks'
import { Refusal, type Site } from '../../api/client.js'
import { putFile } from '../../api/put-file.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { chooseFirst, findMark, markBoth } from '../../editor/both-texts.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { type KeptText, useKeptText } from '../page/use-kept-text.js'
import { type PublishedRules, readRules, type RulesFile } from './published-rules.js'

export interface RulesDraft extends Omit<KeptText, 'html' | 'setBaseEtag' | 'settle'> {
  text: string
  /** Whether the service refuses the text for its wrong lines. */
  isRefused: boolean
  publish: () => Promise<void>
  publishWithoutWrongLines: () => Promise<void>
  discard: () => void
  /** The version that somebody else published meanwhile. */
  theirs: PublishedRules | undefined
  publishOverTheirs: () => Promise<void>
  takeTheirs: () => void
  /** Puts both texts into the editor, with marks. Publishing then replaces the other version. */
  takeBoth: () => void
  /** The line of the first mark between two texts; the draft is not published before the person has chosen. */
  markedLine: number | undefined
  closeConflict: () => void
}

export function useRulesDraft(
  site: Site,
  file: RulesFile,
  published: PublishedRules,
  onChanged: (rules: PublishedRules) => void,
): RulesDraft {
  const kept = useKeptText({ id: `${site.id} ${file}`, html: published.text, etag: published.oid ?? '' })
  const { html: text, isChanged, baseEtag, setBaseEtag, replace } = kept
  const [theirs, setTheirs] = useState<PublishedRules>()
  const [isRefused, setRefused] = useState(false)
  const publishOver = useOneAtATime(async (oid: string | null, force: boolean) => {
    try {
      const bytes = new Blob([text])
      const stored = await putFile(site, `/${file}`, bytes, { ifMatch: oid, force })
      setBaseEtag(stored.oid)
      setTheirs(undefined)
      setRefused(false)
      onChanged({ text, oid: stored.oid })
      notify('Published.')
    } catch (error) {
      const code = error instanceof Refusal ? error.code : undefined
      setRefused(code === 'invalid_rules')
      if (code === 'precondition_failed') await readRules(site, file).then(setTheirs, notifyFailure)
      else if (code !== 'invalid_rules') notifyFailure(error)
    }
  })
  const base = baseEtag === '' ? null : baseEtag
  const markedLine = isChanged ? findMark(text) : undefined
  const publishDraft = async (force: boolean) => {
    if (markedLine === undefined) await publishOver(base, force)
    else notifyFailure(chooseFirst(markedLine))
  }
  return {
    ...kept,
    text,
    change(next: string) {
      setRefused(false)
      kept.change(next)
    },
    isRefused,
    async publish() {
      if (isChanged) await publishDraft(false)
      else notify('There is nothing to publish: these are the published rules.')
    },
    publishWithoutWrongLines: () => publishDraft(true),
    discard() {
      replace(published.text, published.oid ?? '')
      notify('Your changes are discarded.', { label: 'Undo', run: () => replace(text, baseEtag) })
    },
    theirs,
    publishOverTheirs: async () => theirs && (await publishOver(theirs.oid, false)),
    takeTheirs() {
      if (theirs === undefined) return
      replace(theirs.text, theirs.oid ?? '')
      setTheirs(undefined)
      onChanged(theirs)
    },
    closeConflict: () => setTheirs(undefined),
    takeBoth() {
      if (theirs === undefined) return
      replace(markBoth(theirs.text, text, 'somebody else'), theirs.oid ?? '')
      setTheirs(undefined)
      onChanged(theirs)
    },
    markedLine,
  }
}
