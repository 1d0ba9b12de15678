// The list of the palette: what the typed words mean, in groups. The field above keeps the focus; arrows move the active option.

import { type RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Me } from '../api/client.js'
import { navigate } from '../browser/router.js'
import { Icon } from '../parts/icons.js'
import { offer } from './offer.js'
import type { Group, Option } from './option.js'
import { keepRecent, readRecent } from './recent.js'
import { usePages, usePeople, useSites } from './use-found.js'

interface PaletteProps {
  me: Me
  path: string
  words: string
  /** Takes what handles the keys of the field. */
  keys: RefObject<(event: KeyboardEvent) => void>
  /** Tells the field the id of the active option. */
  onActive: (id: string | undefined) => void
  onHelp: () => void
  onClose: () => void
}

export function Palette({ me, path, words, keys, onActive, onHelp, onClose }: PaletteProps) {
  const sites = useSites()
  const people = usePeople(me)
  const shown = siteIn(path)
  const { pages, isLate } = usePages(words, sites, shown)
  const recent = useMemo(() => readRecent(me), [])
  const options = offer(words, { me, sites: sites ?? [], people, pages, recent, shown, onHelp })
  const { at, move } = useActive(options, words)
  const choose = (option: Option | undefined) => {
    if (option === undefined) return
    keepRecent(me, option)
    if (option.to !== undefined) navigate(option.to)
    onClose()
    option.run?.()
  }
  keys.current = (event) => {
    if (event.key === 'Enter') choose(options[at])
    else if (event.key === 'ArrowDown') move(at + 1)
    else if (event.key === 'ArrowUp') move(at - 1)
    else return
    event.preventDefault()
  }
  const active = options[at] && idOf(at)
  useLayoutEffect(() => onActive(active), [active])
  return (
    <>
      <OptionList options={options} at={at} onChoose={choose} />
      <p class={options.length === 0 ? 'hint option' : 'unseen'} role="status">
        {stateOf(options, isLate || sites === undefined)}
      </p>
    </>
  )
}

function siteIn(path: string): string | undefined {
  const [, sites, slug] = path.split('/')
  return sites === 'sites' ? slug : undefined
}

/** The active option stays the same while others come before it: Enter does what was seen. New words begin at the first. */
function useActive(options: readonly Option[], words: string) {
  const [, redraw] = useState({})
  const active = useRef({ words, key: '' })
  const found = active.current.words === words ? options.findIndex(({ key }) => key === active.current.key) : -1
  const at = Math.max(found, 0)
  active.current = { words, key: options[at]?.key ?? '' }
  return {
    at,
    move: (to: number) => {
      active.current = { words, key: options.at(to % Math.max(options.length, 1))?.key ?? '' }
      redraw({})
    },
  }
}

function stateOf({ length }: readonly Option[], isLate: boolean): string {
  if (isLate) return 'Looking…'
  if (length === 0) return 'Nothing fits these words.'
  return length === 1 ? '1 result' : `${length} results`
}

interface OptionListProps {
  options: readonly Option[]
  at: number
  onChoose: (option: Option) => void
}

function OptionList({ options, at, onChoose }: OptionListProps) {
  const groups = [...new Set(options.map(({ group }) => group))]
  return (
    <div id="palette" role="listbox" aria-label="Results">
      {groups.map((group) => (
        <OptionGroup key={group} name={group}>
          {options.map(
            (option, each) =>
              option.group === group && (
                <OptionRow
                  key={option.key}
                  id={idOf(each)}
                  option={option}
                  isActive={each === at}
                  onChoose={() => onChoose(option)}
                />
              ),
          )}
        </OptionGroup>
      ))}
    </div>
  )
}

function OptionGroup({ name, children }: { name: Group; children: preact.ComponentChildren }) {
  return (
    <div role="group" aria-label={name}>
      <div class="group-name" aria-hidden="true">
        {name}
      </div>
      {children}
    </div>
  )
}

interface OptionRowProps {
  id: string
  option: Option
  isActive: boolean
  onChoose: () => void
}

function OptionRow({ id, option: { label, hint, icon }, isActive, onChoose }: OptionRowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <div
      ref={row}
      id={id}
      class="option"
      role="option"
      aria-selected={isActive}
      title={hint === undefined ? label : `${label}, ${hint}`}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon name={icon} />
      <bdi>{label}</bdi>
      {hint !== undefined && <span class="hint">{hint}</span>}
    </div>
  )
}

function idOf(at: number): string {
  return `palette-${at}`
}
