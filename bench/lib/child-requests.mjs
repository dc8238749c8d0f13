/**
 * Returns a function that sends a request to a child process as a message, and resolves with its answer. Pending
 * requests fail when the child ends.
 */
export function openRequests(child) {
  const pending = new Map()
  let lastId = 0
  child.on('message', ({ id, answer }) => {
    pending.get(id)?.resolve(answer)
    pending.delete(id)
  })
  child.on('exit', (code) => {
    for (const { reject } of pending.values()) {
      reject(new Error(`${child.spawnargs[1]} ended with ${code}.`))
    }
  })
  return (action, details = {}) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      pending.set(id, { resolve, reject })
      child.send({ id, action, ...details })
    })
}
