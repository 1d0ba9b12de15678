// The entry of the dashboard's bundle.

import { render } from 'preact'
import { App } from './app.js'
import { keepFocus } from './browser/keep-focus.js'
import { rememberScroll } from './browser/scroll-memory.js'
import './styles/all.css'

rememberScroll()
keepFocus()
const root = document.querySelector('#app')
// The document shows the product's name and a skeleton until here.
root?.replaceChildren()
if (root !== null) render(<App />, root)
