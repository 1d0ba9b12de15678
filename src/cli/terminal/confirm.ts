// Asks before a change that takes something away.

import { confirm } from '@clack/prompts'

/** Whether somebody is there to answer: pipelines and programs are not asked. */
export function isAsked({ yes, json }: { yes?: boolean; json?: boolean }): boolean {
  return yes !== true && json !== true && process.stdin.isTTY && process.stderr.isTTY
}

/** Returns whether the answer is yes; Ctrl-C and Enter alone mean no, which makes the exit code 1. */
export async function isConfirmed(question: string): Promise<boolean> {
  const answer = await confirm({ message: question, initialValue: false, output: process.stderr })
  if (answer === true) return true
  process.exitCode = 1
  return false
}
