// A button, or a link in the looks of one. A screen has one button of the kind `main`.

import type {
  AnchorHTMLAttributes,
  ButtonHTMLAttributes,
  ComponentChildren,
  RefObject,
  TargetedFocusEvent,
} from 'preact'
import { useReducer, useRef } from 'preact/hooks'
import { Icon, type IconName } from '../icons.js'

export interface ButtonLooks {
  /** `main` is what the screen is for; `quiet` stands beside more important ones; `danger` cannot be undone. Default: plain. */
  kind?: 'main' | 'plain' | 'quiet' | 'danger'
  icon?: IconName
  isSmall?: boolean
  children?: ComponentChildren
}

export interface ButtonProps extends ButtonLooks, Omit<ButtonHTMLAttributes, 'icon' | 'children' | 'class' | 'ref'> {
  /** Something runs: the button turns its icon, and takes no click. */
  isBusy?: boolean
  class?: string
  buttonRef?: RefObject<HTMLButtonElement | null>
}

export function Button({
  kind = 'plain',
  icon,
  isSmall = false,
  isBusy = false,
  class: more = '',
  buttonRef,
  children,
  ...rest
}: ButtonProps) {
  const shown = isBusy ? 'busy' : icon
  const own = useRef<HTMLButtonElement>(null)
  const button = buttonRef ?? own
  const [, rerender] = useReducer<number, void>((count) => count + 1, 0)
  const isOff = isBusy || rest.disabled === true
  // A browser takes the focus from a button that is disabled: one that has it is held until the person leaves it.
  const isHeld = isOff && button.current !== null && document.activeElement === button.current
  return (
    <button
      type="button"
      ref={button}
      class={classOf(kind, isSmall && 'small', isBusy && 'busy', more)}
      aria-busy={isBusy || undefined}
      {...rest}
      disabled={isOff && !isHeld}
      {...(isHeld && {
        'aria-disabled': true,
        onClick: (event: Event) => event.preventDefault(),
        onBlur: (event: TargetedFocusEvent<HTMLButtonElement>) => {
          rest.onBlur?.(event)
          rerender()
        },
      })}
    >
      {shown && <Icon name={shown} />}
      {children}
    </button>
  )
}

interface LinkButtonProps
  extends ButtonLooks,
    Omit<AnchorHTMLAttributes, 'icon' | 'children' | 'class' | 'ref' | 'role'> {
  href: string
  class?: string
}

export function LinkButton({
  kind = 'plain',
  icon,
  isSmall = false,
  class: more = '',
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <a class={classOf('button', kind, isSmall && 'small', more)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  )
}

function classOf(...names: readonly (string | false)[]): string {
  return names.filter((name) => name !== false && name !== '' && name !== 'plain').join(' ')
}
