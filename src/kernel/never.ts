/** Makes a switch over a union exhaustive: a new member fails the build at the call. */
export function never(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`)
}
