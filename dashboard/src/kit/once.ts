/**
 * Creates a value at its first use. An `Intl` format takes milliseconds to create, so a page that does not use the
 * format should not create it.
 */
export function once<Value>(create: () => Value): () => Value {
  let created: { value: Value } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}
