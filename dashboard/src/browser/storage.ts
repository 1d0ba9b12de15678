// Text that this browser keeps. It keeps nothing where storage is off or full: no screen may need it.

export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Returns undefined for what is no JSON, too. */
export function readKeptJson(name: string): unknown {
  const text = readKept(name)
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns false if the browser did not keep it. */
export function keep(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // Storage is off, so there is nothing to forget.
  }
}
