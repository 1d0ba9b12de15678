// Looks for sharp, a peer that the operator may install.

import { createRequire } from 'node:module'

/** Whether sharp is installed. Without it pictures are served as they are. */
export function hasSharp(): boolean {
  try {
    createRequire(import.meta.url).resolve('sharp')
    return true
  } catch {
    return false
  }
}
