// Asks for the credentials of a remote on a terminal, or reads them from standard input. They never stand in a command line.

import { isCancel, password } from '@clack/prompts'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { Unusable } from '../connection/unusable.js'

export interface CredentialOptions {
  username?: string
  bearer?: true
}

export interface Credentials {
  username?: string
  password: string
}

export function withCredentials(command: Command): Command {
  return command
    .option(
      '--username <name>',
      'the user name at the remote; the password or token is asked for, or read from standard input',
    )
    .option('--bearer', 'send a bearer token, which is asked for or read from standard input')
}

/** Returns undefined if the options ask for no credentials. Throws Unusable if none are given. */
export async function askCredentials({ username, bearer }: CredentialOptions): Promise<Credentials | undefined> {
  if (username === undefined && bearer !== true) return undefined
  if (username !== undefined && bearer === true)
    throw new Unusable('A bearer token has no user name: give --username or --bearer, not both.')
  const what = username === undefined ? 'Token' : `Password or token of ${username}`
  const given = process.stdin.isTTY
    ? await password({ message: what, output: process.stderr })
    : (await text(process.stdin)).replace(/\r?\n$/, '')
  if (isCancel(given) || given === undefined || given === '')
    throw new Unusable('No password was given: type it when it is asked for, or send it on standard input.')
  return { ...(username !== undefined && { username }), password: given }
}
