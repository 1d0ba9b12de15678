// `palimpsest login` and `palimpsest logout`. Their code is loaded when they run: it speaks with authorization servers, as no other command
// does.

import type { Command } from 'commander'
import type { LoginOptions } from './sign-in.js'

export function addLogin(program: Command): void {
  program
    .command('login')
    .summary('sign in by browser, or with a key')
    .description('sign in to the service at PALIMPSEST_URL in the browser, or with a key')
    .option('--key', 'ask for an API key; from standard input without a terminal')
    .option('--device', 'sign in with the browser of another machine')
    .action(async (options: LoginOptions) => await (await import('./sign-in.js')).login(options))
  program
    .command('logout')
    .summary('forget that login')
    .description('forget what "login" stored for that service')
    .action(async () => await (await import('./sign-in.js')).logout())
}
