// The tokens on the page of parts: sizes of type, colours, and the icons with their names.

import { Icon, ICON_NAMES } from '../icons.js'
import { Sample } from './sample.js'

const SIZES = ['1', '2', '3', '4', '5', '6']
const COLOURS = ['text', 'muted', 'accent', 'danger', 'line', 'edge', 'hover', 'sunken']

export function TokenSamples() {
  return (
    <>
      <Sample of="Sizes">
        {SIZES.map((size) => (
          <span key={size} style={{ fontSize: `var(--size-${size})` }}>
            Size {size}
          </span>
        ))}
      </Sample>
      <Sample of="Colours">
        {COLOURS.map((name) => (
          <span key={name}>
            <span class="badge" style={{ background: `var(--${name})`, width: '2rem', height: '1rem' }} /> {name}
          </span>
        ))}
      </Sample>
      <Sample of="Icons">
        {ICON_NAMES.map((name) => (
          <span key={name} class="hint">
            <Icon name={name} /> {name}
          </span>
        ))}
      </Sample>
    </>
  )
}
