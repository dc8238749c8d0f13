/** Sends requests to a child process. Each one gets its answer, or fails when the child ends. */
export function askable(child) {
  const waiting = new Map()
  let last = 0
  child.on('message', ({ id, answer }) => {
    waiting.get(id)?.resolve(answer)
    waiting.delete(id)
  })
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) {
      reject(new Error(`${child.spawnargs[1]} ended with ${code}.`))
    }
  })
  return (order, details = {}) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject })
      child.send({ id, order, ...details })
    })
}
