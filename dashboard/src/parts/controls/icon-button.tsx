// A button that is an icon. Its label is read out, and shown as a tooltip to people who point at it or reach it by the keyboard.

import { Tip } from '../overlays/tip.js'
import { Button, type ButtonProps } from './button.js'

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  icon: NonNullable<ButtonProps['icon']>
  label: string
}

export function IconButton({ label, kind = 'quiet', class: more = '', ...rest }: IconButtonProps) {
  return (
    <Tip text={label}>
      {(tipped) => <Button kind={kind} class={`icon-only ${more}`.trim()} aria-label={label} {...tipped} {...rest} />}
    </Tip>
  )
}
