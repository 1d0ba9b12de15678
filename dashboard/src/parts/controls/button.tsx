// A button, or a link in the looks of one. A screen has one button of the kind `main`.

import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren, RefObject } from 'preact'
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
  return (
    <button
      type="button"
      {...(buttonRef && { ref: buttonRef })}
      class={classOf(kind, isSmall && 'small', isBusy && 'busy', more)}
      aria-busy={isBusy || undefined}
      {...rest}
      disabled={isBusy || rest.disabled === true}
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
