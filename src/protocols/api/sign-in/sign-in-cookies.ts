// The cookies of a sign-in at an identity provider. One has the secret that binds it to this browser. One has the sentence that the sign-in
// screen shows after a failure.

import type { SignInProblem } from '../../../../schemas/sign-in.js'
import type { Browser } from './browser.js'

const BROWSER = 'sign-in'
const PROBLEM = 'sign-in-problem'
const PROBLEM_SECONDS = 120
const SECRET = /^[\w-]{43}$/

/** Returns the browser's secret, if it has begun a sign-in. */
export function secretOf(browser: Browser): string | undefined {
  const secret = browser.cookie(BROWSER)
  return secret !== undefined && SECRET.test(secret) ? secret : undefined
}

/** Sets the browser's secret. Sign-ins in several tabs share it. */
export function setSecret(browser: Browser, secret: string, seconds: number): void {
  browser.setCookie(BROWSER, secret, after(seconds))
}

export function setProblem(browser: Browser, problem: SignInProblem): void {
  browser.setCookie(PROBLEM, Buffer.from(JSON.stringify(problem)).toString('base64url'), after(PROBLEM_SECONDS))
}

/** Lets the sign-in screen show no failure. */
export function forgetProblem(browser: Browser): void {
  browser.setCookie(PROBLEM, '', new Date(0))
}

/** Returns the failure that the sign-in screen shows. */
export function problemOf(browser: Browser): SignInProblem | undefined {
  const value = browser.cookie(PROBLEM)
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

function after(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}
