// The state of the record dialog: what is written in its two tabs, what is wrong with it, and saving it.

import { useLayoutEffect, useState } from 'preact/hooks'
import { type Collection, Refusal, type Site, type StoredRecord } from '../../../api/client.js'
import { formatNames } from '../../../format.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'
import { isSame, problemsOf } from '../fields/check.js'
import { type Field, type JsonObject, pointerOf } from '../fields/field.js'
import { titleOf } from '../fields/record-title.js'
import { sortReasons } from '../fields/refused-fields.js'
import { newRecord, withValueAt } from '../fields/values.js'
import { parseRecord } from '../json-input.js'
import { titleOfCollection } from '../schema/collection-name.js'
import { bothOf, withMine } from './both-records.js'
import { begin, type EditorState, unfinished, withoutProblem } from './editor-state.js'
import type { RecordDraft } from './record-draft.js'
import { type Edited, keepRecord } from './kept-record.js'
import { createRecord, replaceRecord } from './save-record.js'

export interface EditRecordProps {
  site: Site
  collection: Collection
  fields: readonly Field[]
  edited: Edited
  onClose: () => void
  /** Opens the dialog again with what was written in it. */
  onReopen: (edited: Edited) => void
  onChanged: () => void
}

export function useRecordEditor({ site, collection, fields, edited, ...on }: EditRecordProps) {
  const { record } = edited
  const [first] = useState(() => record?.data ?? newRecord(fields))
  const [state, setState] = useState<EditorState>(() => begin(edited.data ?? first, fields))
  const change = (next: Partial<EditorState>) => setState((before) => ({ ...before, ...next }))
  const fail = (next: Pick<EditorState, 'problems' | 'others'>) => change({ ...next, faults: state.faults + 1 })
  const data = state.text === undefined ? state.data : parseRecord(state.text)

  const written = data ?? state.data
  const isChanged = !isSame(written, first)
  // Before the next paint, so that a reload at once loses nothing.
  useLayoutEffect(
    () => keepRecord(collection.id, isChanged ? { record, data: written } : undefined),
    [written, isChanged],
  )

  const settle = (text: string) => {
    keepRecord(collection.id, undefined)
    notify(text)
    on.onChanged()
  }
  const replace = async (target: StoredRecord, sent: JsonObject, began: Pick<StoredRecord, 'data' | 'etag'>) => {
    const outcome = await replaceRecord(site, target, { data: sent, etag: began.etag })
    if (outcome.is === 'gone') return change({ isGone: true, conflict: undefined, data: sent, text: undefined })
    if (outcome.is === 'conflict') {
      const { theirs, author } = outcome
      const both = bothOf(began.data, sent, theirs.data)
      return change({ conflict: { both, theirs, author, mine: new Set() } })
    }
    const by = formatNames(outcome.mergedWith.map(({ author }) => author))
    settle(`Saved ${titleOf(outcome.record.data, fields)}${by === '' ? '' : `, together with changes by ${by}`}.`)
  }
  const send = async (sent: JsonObject) => {
    if (record === undefined || state.isGone) {
      await createRecord(site, collection, sent)
      return settle(`Added ${titleOf(sent, fields)} to ${titleOfCollection(collection)}.`)
    }
    if (state.conflict === undefined) return await replace(record, sent, record)
    const { both, theirs, mine } = state.conflict
    await replace(
      record,
      withMine(both, ({ path }) => mine.has(pointerOf(path))),
      theirs,
    )
  }
  return {
    state,
    data,
    draft: {
      site,
      data: state.data,
      problems: state.problems,
      broken: state.broken,
      set: (path, value) =>
        setState((before) => ({
          ...before,
          data: withValueAt(before.data, path, value),
          problems: withoutProblem(before.problems, pointerOf(path)),
        })),
      setBroken: (pointer, text) =>
        setState((before) => {
          const { [pointer]: _, ...others } = before.broken
          return { ...before, broken: text === undefined ? others : { ...others, [pointer]: text } }
        }),
    } satisfies RecordDraft,
    save: async () => {
      if (data === undefined) return
      const problems = state.text === undefined ? { ...problemsOf(fields, data), ...unfinished(state.broken) } : {}
      if (Object.keys(problems).length > 0) return fail({ problems, others: [] })
      try {
        await send(data)
      } catch (error) {
        if (!(error instanceof Refusal) || !Array.isArray(error.details)) notifyFailure(error)
        else fail(sortReasons(error.details, fields))
      }
    },
    /** Shows the other tab. Stays where JSON is not finished, so that nothing is lost. */
    show: (tab: 'form' | 'json') => {
      if (tab === 'json') {
        const problems = unfinished(state.broken)
        if (Object.keys(problems).length > 0) return fail({ problems, others: [] })
        return change({ text: JSON.stringify(state.data, null, 2), problems: {}, others: [] })
      }
      if (data === undefined)
        return fail({ problems: {}, others: ['Correct the JSON first: the form cannot show it.'] })
      change({ data, text: undefined, problems: {}, others: [] })
    },
    write: (text: string) => change({ text, others: [] }),
    choose: (pointer: string, isMine: boolean) => {
      if (state.conflict === undefined) return
      const mine = new Set(state.conflict.mine)
      if (isMine) mine.add(pointer)
      else mine.delete(pointer)
      change({ conflict: { ...state.conflict, mine } })
    },
    close: () => {
      keepRecord(collection.id, undefined)
      on.onClose()
      if (!isChanged) return
      notify(`${record ? `Your changes of ${titleOf(first, fields)} were` : 'The new record was'} not saved.`, {
        label: 'Continue',
        run: () => on.onReopen({ record, data: written }),
      })
    },
  }
}
