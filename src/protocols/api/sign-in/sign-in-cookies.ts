// The cookies of a sign-in at an identity provider: the secret that binds it to this browser, and the sentence that the sign-in screen
// shows after a failure.

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { cookieOf, setCookie } from './session-cookie.js'

/** Told to the person on the sign-in screen. */
export interface SignInProblem {
  code: string
  message: string
  /** The person, as the provider says. */
  name?: string
  email?: string
  /** Whether the browser has a session all the same. */
  isSignedIn?: boolean
}

const BROWSER = 'sign-in'
const PROBLEM = 'sign-in-problem'
const PROBLEM_SECONDS = 120
const SECRET = /^[\w-]{43}$/

/** Returns the browser's secret, if it has begun a sign-in. */
export function browserOf(request: IncomingMessage, baseUrl: string): string | undefined {
  const secret = cookieOf(request, baseUrl, BROWSER)
  return secret !== undefined && SECRET.test(secret) ? secret : undefined
}

/** Returns a new secret for a browser that has none. Sign-ins in several tabs share it. */
export function mintBrowser(): string {
  return randomBytes(32).toString('base64url')
}

export function setBrowser(baseUrl: string, secret: string, seconds: number): string {
  return setCookie(baseUrl, BROWSER, secret, new Date(Date.now() + seconds * 1000))
}

export function setProblem(baseUrl: string, problem: SignInProblem): string {
  const value = Buffer.from(JSON.stringify(problem)).toString('base64url')
  return setCookie(baseUrl, PROBLEM, value, new Date(Date.now() + PROBLEM_SECONDS * 1000))
}

/** Returns the value of `Set-Cookie` after which the sign-in screen shows no failure. */
export function forgetProblem(baseUrl: string): string {
  return setCookie(baseUrl, PROBLEM, '', new Date(0))
}

export function problemOf(request: IncomingMessage, baseUrl: string): SignInProblem | undefined {
  const value = cookieOf(request, baseUrl, PROBLEM)
  if (value === undefined) return undefined
  try {
    const { code, message, name, email, isSignedIn } = JSON.parse(
      Buffer.from(value, 'base64url').toString(),
    ) as Partial<SignInProblem>
    if (typeof code !== 'string' || typeof message !== 'string') return undefined
    return {
      code,
      message,
      ...(typeof name === 'string' && { name }),
      ...(typeof email === 'string' && { email }),
      isSignedIn: isSignedIn === true,
    }
  } catch {
    return undefined
  }
}
