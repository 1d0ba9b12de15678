// Lets a screen open the search over everything, which the frame holds.

import { createContext } from 'preact'

export const OpenSearch = createContext<() => void>(() => undefined)
