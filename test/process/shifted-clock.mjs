import { readFileSync } from 'node:fs'

/**
 * Loaded before a program (`--import`): shifts what it takes for the time, in each of its threads, by the
 * milliseconds that the file SHIFT_FILE holds. What measures spans stays as it is.
 */
const file = process.env.SHIFT_FILE ?? ''
const LOOK_MS = 10
const Machine = Date
let shift_ms = 0

function look() {
  shift_ms = Number(readFileSync(file, 'utf8'))
}

look()
setInterval(look, LOOK_MS).unref()

const now = () => Machine.now() + shift_ms

globalThis.Date = new Proxy(Machine, {
  construct: (machine, given) => Reflect.construct(machine, given.length > 0 ? given : [now()]),
  get: (machine, name) => (name === 'now' ? now : Reflect.get(machine, name)),
})
