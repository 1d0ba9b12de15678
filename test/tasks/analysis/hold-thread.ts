// Keeps this thread from everything else, as long work does, without the processor time of work.

/** Neither timers nor sockets are looked at meanwhile; to the event loop it is busy time. */
export function holdThread(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
