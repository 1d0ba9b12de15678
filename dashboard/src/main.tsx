// The dashboard's beginning.

import { render } from 'preact'
import { App } from './app.js'
import './styles.css'

const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
