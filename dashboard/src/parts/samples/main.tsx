// A page that shows all parts in all states, for those who draw with them and for the tests that take pictures of them.

import { render } from 'preact'
import '../../styles/all.css'
import { Notices } from '../overlays/notices.js'
import { ControlSamples } from './control-samples.js'
import { ListSamples } from './list-samples.js'
import { OverlaySamples } from './overlay-samples.js'
import { StateSamples } from './state-samples.js'
import { TokenSamples } from './token-samples.js'

function Samples() {
  return (
    <>
      <main>
        <h1>The parts</h1>
        <TokenSamples />
        <ControlSamples />
        <StateSamples />
        <ListSamples />
        <OverlaySamples />
      </main>
      <Notices />
    </>
  )
}

const root = document.querySelector('#app')
if (root !== null) render(<Samples />, root)
