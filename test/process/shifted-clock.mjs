// Node loads this file before a program (`--import`), in each of its threads. It shifts the current time by the
// milliseconds in SHIFT_FILE, and writes each applied shift into a file of the thread. Clocks for durations are
// unchanged.
import { readFileSync, writeFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'

const file = process.env.SHIFT_FILE ?? ''
const POLL_MS = 10
const MachineDate = Date
let shift = ''

function readShift() {
  const text = readFileSync(file, 'utf8')
  // The file is empty while it is being written.
  if (text === '' || text === shift) return
  shift = text
  writeFileSync(`${file}.${process.pid}.${threadId}`, text)
}

readShift()
setInterval(readShift, POLL_MS).unref()

const now = () => MachineDate.now() + Number(shift)

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args) => Reflect.construct(target, args.length > 0 ? args : [now()]),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
