// The slider over all changes of a site. Arrows step by a change, Page Up and Page Down by a day; the day and the words of the change stand
// beside it.

import { wordsOfChange, readChange } from '../../../../src/model/change-words.js'
import type { Commit } from '../../api/client.js'
import { formatNumber, formatTime } from '../../format.js'
import { ActWords } from '../history/act-words.js'
import { whoMade } from '../history/who.js'

interface TimeSliderProps {
  at: number
  newest: number
  /** Undefined until it is loaded. */
  commit: Commit | undefined
  onMove: (at: number) => void
  onMoveByDay: (step: 1 | -1) => void
}

export function TimeSlider({ at, newest, commit, onMove, onMoveByDay }: TimeSliderProps) {
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'PageUp' ? 1 : event.key === 'PageDown' ? -1 : undefined
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onMoveByDay(step)
  }
  return (
    <div class="time-slider">
      <input
        type="range"
        aria-label="Change of the site"
        aria-valuetext={valueText(at, newest, commit)}
        min={1}
        max={newest}
        step={1}
        value={at}
        disabled={newest === 1}
        onInput={(event) => onMove(event.currentTarget.valueAsNumber)}
        onKeyDown={onKey}
      />
      <p class="time-words">
        {commit === undefined ? (
          <span class="hint">…</span>
        ) : (
          <>
            <time dateTime={commit.createdAt}>{formatTime(commit.createdAt)}</time> <Words of={commit} />
          </>
        )}{' '}
        <span class="hint">{at === newest ? 'now' : `change ${formatNumber(at)} of ${formatNumber(newest)}`}</span>
      </p>
    </div>
  )
}

function Words({ of: commit }: { of: Commit }) {
  const { done, said } = readChange(commit.message)
  return (
    <span class="sentence">
      <strong>
        <bdi>{whoMade(commit).name}</bdi>
      </strong>{' '}
      {done === undefined && said !== undefined ? (
        <span dir="auto">{said}</span>
      ) : (
        <ActWords act={done} page={commit.page} />
      )}
    </span>
  )
}

/** Says what a screen reader needs at each step. */
function valueText(at: number, newest: number, commit: Commit | undefined): string {
  const place = `change ${at} of ${newest}`
  if (commit === undefined) return place
  return `${formatTime(commit.createdAt)}: ${whoMade(commit).name} ${wordsOfChange(commit.message)}, ${place}`
}
