// The figures of work of one kind, as it is now.

export interface Figures {
  running: number
  waiting: number
}

/** Work of one kind, by its name. */
export interface WorkRow extends Figures {
  name: string
}
