// How much of one kind of work runs and waits now.

export interface Figures {
  running: number
  waiting: number
}

/** Work of one kind, by its name. */
export interface WorkRow extends Figures {
  name: string
}
