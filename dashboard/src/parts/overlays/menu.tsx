// A menu of actions, such as behind the three dots of a row. Arrows, Home, End and first letters move in it.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { Button, type ButtonLooks } from '../controls/button.js'
import { Icon, type IconName } from '../icons.js'
import { usePopover } from './use-popover.js'

export interface MenuItem {
  label: string
  icon?: IconName
  /** Either it does something, or it leads somewhere, perhaps in a new tab. */
  run?: () => void
  href?: string
  isNewTab?: boolean
  /** It cannot be undone. */
  isRisky?: boolean
}

interface MenuProps extends ButtonLooks {
  /** Names the menu, and the button if that has no text. */
  label: string
  class?: string
  /** The text of the button. Without it, the button shows three dots. */
  button?: ComponentChildren
  /** A line above the items. */
  note?: ComponentChildren
  /** `null` draws a line. */
  items: readonly (MenuItem | null)[]
}

export function Menu({ label, button, note, items, class: more = '', kind = 'quiet', icon, ...looks }: MenuProps) {
  const { control, box, isOpen, open, close, forControl, forBox } = usePopover()
  useLayoutEffect(() => {
    if (isOpen) itemsIn(box.current)[0]?.focus()
  }, [isOpen])
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') close()
    else if (moveFocus(itemsIn(box.current), event.key)) event.preventDefault()
    else forBox.onKeyDown(event)
  }
  return (
    <>
      <Button
        {...looks}
        {...(button === undefined ? { icon: icon ?? 'more' } : icon && { icon })}
        kind={kind}
        buttonRef={control}
        class={button === undefined ? `icon-only ${more}`.trim() : more}
        aria-label={button === undefined ? label : undefined}
        title={button === undefined ? label : undefined}
        aria-haspopup="menu"
        {...forControl}
        onKeyDown={({ key }) => key === 'ArrowDown' && open()}
      >
        {button}
      </Button>
      {isOpen && (
        <div ref={box} class="menu-box" {...forBox} onKeyDown={onKey}>
          {note !== undefined && <p class="hint">{note}</p>}
          <div role="menu" aria-label={label}>
            {items.map((item, at) =>
              item === null ? <hr key={at} /> : <Item key={item.label} item={item} onChosen={close} />,
            )}
          </div>
        </div>
      )}
    </>
  )
}

function Item({
  item: { label, icon, run, href, isNewTab, isRisky },
  onChosen,
}: {
  item: MenuItem
  onChosen: () => void
}) {
  const common = { role: 'menuitem', tabIndex: -1, class: isRisky === true ? 'menu-item risky' : 'menu-item' } as const
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      {label}
    </>
  )
  if (href !== undefined)
    return (
      <a {...common} href={href} {...(isNewTab === true && { target: '_blank', rel: 'noopener' })} onClick={onChosen}>
        {inside}
      </a>
    )
  return (
    <button
      type="button"
      {...common}
      onClick={() => {
        // The focus is back before the action may move it, for example into a dialog.
        onChosen()
        run?.()
      }}
    >
      {inside}
    </button>
  )
}

function itemsIn(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
}

/** Returns whether the key moves. */
function moveFocus(items: readonly HTMLElement[], key: string): boolean {
  const at = items.findIndex((item) => item === document.activeElement)
  const next = nextOf(items, at, key)
  if (next === undefined) return false
  items.at(next)?.focus()
  return true
}

function nextOf(items: readonly HTMLElement[], at: number, key: string): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % items.length
  if (key === 'ArrowUp') return Math.max(at, 0) - 1
  if (key === 'Home') return 0
  if (key === 'End') return -1
  if (key.length > 1 || key === ' ') return undefined
  const begins = (item: HTMLElement) => item.textContent.toLowerCase().startsWith(key.toLowerCase())
  const found = [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins)
  return found && items.indexOf(found)
}
