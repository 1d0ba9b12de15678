// Asks for what a screen needs before it is there: an address already names it. The screen takes the answer. Saves round trips.

const asked = new Map<string, Promise<unknown>>()

/** Asks now. The answer waits under the key until it is taken. */
export function askAhead<T>(key: string, ask: () => Promise<T>): void {
  const answer = ask()
  // The screen asks again, and says what went wrong.
  answer.catch(() => undefined)
  asked.set(key, answer)
}

/** Takes the answer that was asked for ahead, once. Asks by `ask` where there is none, where it failed, or where it is not right. */
export async function takeAhead<T>(
  key: string,
  ask: () => Promise<T>,
  isRight: (answer: T) => boolean = () => true,
): Promise<T> {
  const ahead = asked.get(key) as Promise<T> | undefined
  asked.delete(key)
  const answer = await ahead?.catch(() => undefined)
  return answer === undefined || !isRight(answer) ? await ask() : answer
}

/** Forgets what no screen took: it gets old. */
export function forgetAhead(): void {
  asked.clear()
}
