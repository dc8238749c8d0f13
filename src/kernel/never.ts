/** Closes a switch over a union: a new member fails the build at the call. */
export function never(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`)
}
