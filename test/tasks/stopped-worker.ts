// The entry of a task process that gets no processor time: it stops before it is ready.

process.kill(process.pid, 'SIGSTOP')
