// Tells what the signed-in person may do. Screens hide the actions that the person's role forbids; the service decides all the same.

import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Me } from '../../api/client.js'

/** `try` is to make dry runs, and so previews; `make sites` needs all sites of the workspace. */
type Act = 'try' | 'write' | 'manage' | 'make sites'

export const Person = createContext<Me | undefined>(undefined)

/** Returns a function that tells whether the person may do something. */
export function useMay(): (act: Act) => boolean {
  const me = useContext(Person)
  return (act) => {
    if (me === undefined) return false
    const { scopes, key } = me
    if (act === 'try') return scopes.includes('propose') || scopes.includes('write')
    if (act === 'make sites') return scopes.includes('admin') && key.sites === null
    return scopes.includes(act === 'manage' ? 'admin' : 'write')
  }
}

interface AllowedProps {
  to: Act
  children: ComponentChildren
  /** Shown to those who may not. */
  otherwise?: ComponentChildren
}

export function Allowed({ to, children, otherwise }: AllowedProps) {
  return <>{useMay()(to) ? children : otherwise}</>
}
